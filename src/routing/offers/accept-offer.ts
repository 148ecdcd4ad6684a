import { Injectable } from '@nestjs/common';
import type { CallDetailsDto } from '../../calls/call.dto';
import { CallList } from '../../calls/staff/call-list';
import { TakeCall } from '../../calls/staff/take-call';
import type { Principal } from '../../platform/access/principal';
import { Database } from '../../platform/database/database';
import { Filter } from '../../platform/database/filter';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { AgentStates } from '../agents/agent-states';
import { EndOffers } from './end-offers';
import { OwnOffers } from './own-offers';

/** Accepts an offer of a waiting call: it is assigned to the agent and started, in one transaction. */
@Injectable()
export class AcceptOffer {
  constructor(
    private readonly database: Database,
    private readonly own: OwnOffers,
    private readonly taking: TakeCall,
    private readonly ends: EndOffers,
    private readonly states: AgentStates,
    private readonly calls: CallList,
    private readonly events: EventBus,
  ) {}

  /**
   * @returns the started call
   * @throws 404 for an offer of somebody else; 422 offer_ended; 403 plan_limit, with the offer withdrawn
   */
  async accept(user: Principal, offerId: string): Promise<CallDetailsDto> {
    const { call_id } = await this.own.get(user, offerId);
    const refusal = await this.database.tenant(user.tenant_id, (tx) =>
      this.acceptIn(tx, user, offerId, call_id),
    );
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
      const [withdrawn] = await this.ends.withdraw(tx, this.own.filter(user, offerId), 'plan_limit');
      if (!withdrawn) throw await this.own.refusal(tx, user, offerId);
      await this.states.announceLocked(tx, user.tenant_id, [user.user_id]);
      return locked.refusal;
    }
    const [accepted] = await this.ends.end(tx, 'accept', this.own.filter(user, offerId));
    if (!accepted) throw await this.own.refusal(tx, user, offerId);
    await this.taking.start(tx, user, locked);
    return undefined;
  }
}
