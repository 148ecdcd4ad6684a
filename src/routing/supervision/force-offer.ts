import { Injectable } from '@nestjs/common';
import type { Call } from '../../calls/call.entity';
import { isAwaited } from '../../calls/callbacks/callback.machine';
import { AssignableAgents } from '../../calls/staff/assignable-agents';
import { CallAccess } from '../../calls/staff/call-access';
import type { Principal } from '../../platform/access/principal';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { Filter } from '../../platform/database/filter';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { planLimit, unprocessable } from '../../platform/http/errors/api-error';
import { AgentLocks } from '../../presence/agent-locks';
import { AgentStates } from '../agents/agent-states';
import { EndOffers } from '../offers/end-offers';
import { MakeOffer } from '../offers/make-offer';
import { type OfferDto, toOfferDto } from '../offers/offer.dto';
import { OfferingCapacity } from '../offers/offering-capacity';

interface LineFacts {
  /** Of the call's own department, also if it has overflowed. */
  offer_timeout: number;
  /** Whether a department offers its calls in whose line the call waits. */
  is_automatic: boolean;
  is_present: boolean;
}

/** Offers a waiting call to the agent whom a supervisor names: neither membership, skills nor exclusion matter. */
@Injectable()
export class ForceOffer {
  constructor(
    private readonly database: Database,
    private readonly access: CallAccess,
    private readonly agents: AssignableAgents,
    private readonly capacity: OfferingCapacity,
    private readonly locks: AgentLocks,
    private readonly states: AgentStates,
    private readonly ends: EndOffers,
    private readonly offers: MakeOffer,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * A pending offer of the call to another agent is withdrawn.
   * @throws 404; 403 plan_limit; 422 for a user who is not active, invalid_state, not_automatic, callback_pending,
   *   customer_absent, agent_not_available
   */
  offer(user: Principal, callId: string, userId: string): Promise<OfferDto> {
    const { tenant_id, user_id: offered_by } = user;
    return this.database.tenant(tenant_id, async (tx) => {
      this.events.expect(tx, tenant_id, ['call.offered', 'agent.state_changed']);
      // Lock order: the tenant, the call, the user, the agents.
      const [hasRoom, call, , facts] = await settleAll([
        this.capacity.hasRoom(tx, tenant_id, callId),
        this.access.lockVisible(tx, user, callId),
        this.agents.lock(tx, tenant_id, userId),
        this.factsOf(tx, callId),
        this.locks.lockWithOffered(tx, [userId], { tenantId: tenant_id, ids: [callId] }),
      ]);
      const seconds = offerTimeout(call, facts);
      if (!hasRoom) throw planLimit('The plan allows no other call at the same time.');
      await this.withdrawPending(tx, call);
      const { department_id } = call;
      const forced = { tenant_id, call_id: callId, department_id, user_id: userId, kind: 'forced' } as const;
      const made = await this.offers.insert(tx, { ...forced, offered_by, note: null }, seconds);
      if (!made) throw unprocessable('agent_not_available', 'The agent is not available.');
      return toOfferDto(made);
    });
  }

  private async withdrawPending(tx: Transaction, { tenant_id, id }: Call): Promise<void> {
    const ofCall = new Filter().and('o.tenant_id = ?', tenant_id).and('o.call_id = ?', id);
    const withdrawn = await this.ends.withdraw(tx, ofCall, 'reassigned');
    await this.states.announceLocked(
      tx,
      tenant_id,
      withdrawn.map(({ user_id }) => user_id),
    );
  }

  private factsOf(tx: Transaction, callId: string): Promise<LineFacts | undefined> {
    return tx.one<LineFacts>(
      `SELECT d.offer_timeout, e.present_until > $2 AS is_present, EXISTS (
         SELECT FROM line_entries w JOIN departments l ON l.tenant_id = w.tenant_id AND l.id = w.department_id
         WHERE w.call_id = e.call_id AND l.active AND l.routing = 'automatic') AS is_automatic
       FROM line_entries e JOIN departments d ON d.tenant_id = e.tenant_id AND d.id = e.department_id
       WHERE e.call_id = $1 AND e.overflowed_from IS NULL`,
      [callId, this.clock.now()],
    );
  }
}

/** @returns seconds @throws 422 unless the call can be offered */
function offerTimeout({ status, callback_status }: Call, facts: LineFacts | undefined): number {
  if (status !== 'queued' || !facts) {
    throw unprocessable('invalid_state', `A call that is ${status} cannot be offered.`);
  }
  if (!facts.is_automatic) throw unprocessable('not_automatic', 'The department does not offer its calls.');
  if (isAwaited(callback_status)) {
    throw unprocessable('callback_pending', 'The customer is away and will be called back.');
  }
  if (!facts.is_present) throw unprocessable('customer_absent', 'The customer is not connected.');
  return facts.offer_timeout;
}
