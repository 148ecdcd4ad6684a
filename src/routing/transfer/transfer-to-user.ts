import { Injectable } from '@nestjs/common';
import type { Call } from '../../calls/call.entity';
import { CallTransitions } from '../../calls/machine/call-transitions';
import { actorOf } from '../../calls/staff/actor';
import { AssignableAgents } from '../../calls/staff/assignable-agents';
import { CallAccess } from '../../calls/staff/call-access';
import type { Principal } from '../../platform/access/principal';
import { Database } from '../../platform/database/database';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { unprocessable } from '../../platform/http/errors/api-error';
import { AgentLocks } from '../../presence/agent-locks';
import { MakeOffer } from '../offers/make-offer';
import type { Offer } from '../offers/offer.entity';

/** Offers an active call to another agent, who need not be a member of its department. */
@Injectable()
export class TransferToUser {
  constructor(
    private readonly database: Database,
    private readonly access: CallAccess,
    private readonly transitions: CallTransitions,
    private readonly agents: AssignableAgents,
    private readonly locks: AgentLocks,
    private readonly offers: MakeOffer,
    private readonly events: EventBus,
  ) {}

  /**
   * The call stays with its agent until the other one accepts (AcceptTransfer).
   * @param note what the agent says about the call
   * @throws 404; 422 for a user that is not active, invalid_transition, same_agent, transfer_pending, agent_not_available
   */
  async offer(
    user: Principal,
    callId: string,
    userId: string,
    note: string | null,
  ): Promise<{ call: Call; offer: Offer }> {
    const { tenant_id, user_id: offered_by } = user;
    return this.database.tenant(tenant_id, async (tx) => {
      this.events.expect(tx, tenant_id, ['call.offered']);
      // Lock order: the call, the user, the agent.
      const [call, , , isPending, seconds] = await settleAll([
        this.access.lockVisible(tx, user, callId),
        this.agents.lock(tx, tenant_id, userId),
        this.locks.lock(tx, [userId]),
        this.hasPendingOffer(tx, tenant_id, callId),
        this.offerTimeoutOf(tx, callId),
      ]);
      this.transitions.ensureAllowed(call, { trigger: 'transfer', actor: actorOf(user) });
      if (call.user_id === userId) throw unprocessable('same_agent', 'The agent has the call already.');
      if (isPending)
        throw unprocessable('transfer_pending', 'The call is being offered to an agent already.');
      const { department_id } = call;
      const offered = { tenant_id, call_id: callId, department_id, user_id: userId, offered_by, note };
      const offer = await this.offers.insert(tx, { ...offered, kind: 'transfer' }, seconds);
      if (!offer) throw unprocessable('agent_not_available', 'The agent is not available.');
      return { call, offer };
    });
  }

  /** A new offer of a call needs the lock of the call. */
  private async hasPendingOffer(tx: Transaction, tenantId: string, callId: string): Promise<boolean> {
    const pending = await tx.query(
      `SELECT FROM offers WHERE tenant_id = $1 AND call_id = $2 AND status = 'pending'`,
      [tenantId, callId],
    );
    return pending.length > 0;
  }

  /** @returns seconds; 0 for a call that has ended and whose department was deleted, which cannot be transferred */
  private async offerTimeoutOf(tx: Transaction, callId: string): Promise<number> {
    const department = await tx.one<{ offer_timeout: number }>(
      `SELECT d.offer_timeout FROM calls c JOIN departments d ON d.tenant_id = c.tenant_id AND d.id = c.department_id
       WHERE c.id = $1`,
      [callId],
    );
    return department?.offer_timeout ?? 0;
  }
}
