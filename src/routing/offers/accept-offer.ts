import { Injectable } from '@nestjs/common';
import type { CallDetailsDto } from '../../calls/call-details.dto';
import { CallTransitions } from '../../calls/machine/call-transitions';
import { AssignableAgents } from '../../calls/staff/assignable-agents';
import { CallList } from '../../calls/staff/call-list';
import { TakeCall } from '../../calls/staff/take-call';
import type { Principal } from '../../platform/access/principal';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { Filter } from '../../platform/database/filter';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { AgentLocks } from '../../presence/agent-locks';
import { AgentStates } from '../agents/agent-states';
import { AcceptTransfer } from './accept-transfer';
import { EndOffers } from './end-offers';
import type { Offer } from './offer.entity';
import { OwnOffers } from './own-offers';

/**
 * Accepts an offer: a waiting call is assigned to the agent and started, an active one changes its agent, in one
 * transaction.
 */
@Injectable()
export class AcceptOffer {
  constructor(
    private readonly database: Database,
    private readonly own: OwnOffers,
    private readonly taking: TakeCall,
    private readonly transfers: AcceptTransfer,
    private readonly transitions: CallTransitions,
    private readonly locks: AgentLocks,
    private readonly ends: EndOffers,
    private readonly states: AgentStates,
    private readonly calls: CallList,
    private readonly agents: AssignableAgents,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the started call
   * @throws 404 for an offer of somebody else; 422 offer_ended; 403 plan_limit, with the offer withdrawn
   */
  async accept(user: Principal, offerId: string): Promise<CallDetailsDto> {
    const { call_id, kind } = await this.own.get(user, offerId);
    const accept = kind === 'transfer' ? this.takeOver.bind(this) : this.acceptIn.bind(this);
    const refusal = await this.database.tenant(user.tenant_id, (tx) => accept(tx, user, offerId, call_id));
    if (refusal) throw refusal;
    return this.calls.get(user, call_id);
  }

  /** @returns the error to answer with, if the limit of the plan is reached: the withdrawal must be committed */
  private async acceptIn(
    tx: Transaction,
    user: Principal,
    offerId: string,
    callId: string,
  ): Promise<Error | undefined> {
    this.events.expect(tx, user.tenant_id, ['call.started', 'call.offer_ended', 'agent.state_changed']);
    const call = new Filter().and('c.tenant_id = ?', user.tenant_id).and('c.id = ?', callId);
    const locked = await this.taking.lock(tx, user, callId, call);
    if (locked.refusal) {
      // An offer that has expired is left to the sweep, which pauses its agent.
      const offer = this.own.filter(user, offerId).and('o.expires_at > ?', this.clock.now());
      const [withdrawn] = await this.ends.withdraw(tx, offer, 'plan_limit');
      if (!withdrawn) throw await this.own.refusal(tx, user, offerId);
      await this.states.announceLocked(tx, user.tenant_id, [user.user_id]);
      return locked.refusal;
    }
    await this.end(tx, user, offerId);
    await this.taking.start(tx, user, locked);
    return undefined;
  }

  /** The call of a transfer is active already, with the agent who offers it. */
  private async takeOver(
    tx: Transaction,
    user: Principal,
    offerId: string,
    callId: string,
  ): Promise<undefined> {
    this.events.expect(tx, user.tenant_id, ['call.transferred', 'call.offer_ended', 'agent.state_changed']);
    const call = await this.transitions.lock(tx, user.tenant_id, callId);
    this.locks.lock(tx, [user.user_id, ...(call.user_id === null ? [] : [call.user_id])]);
    await this.transfers.accept(tx, call, await this.end(tx, user, offerId));
  }

  /** The agent may have been deactivated since the request was authenticated: then the offer is about to be withdrawn. */
  private async end(tx: Transaction, user: Principal, offerId: string): Promise<Offer> {
    const [[accepted], agent] = await settleAll([
      this.ends.end(tx, 'accept', this.own.filter(user, offerId)),
      this.agents.lockIfActive(tx, user.tenant_id, user.user_id),
    ]);
    if (!accepted || !agent) throw await this.own.refusal(tx, user, offerId);
    return accepted;
  }
}
