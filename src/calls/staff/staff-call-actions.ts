import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { invalidField } from '../../platform/http/errors/api-error';
import type { Principal } from '../../platform/access/principal';
import { hasMinimumRole } from '../../platform/access/roles';
import { SubscriptionsService } from '../../plans/subscriptions.service';
import { Connections } from '../../presence/connections';
import { CallList } from './call-list';
import type { Call } from '../call.entity';
import type { Actor, Move } from '../machine/call.machine';
import { Reconnection } from '../machine/reconnection';
import { CallTransitions } from '../machine/call-transitions';

const actorOf = (user: Principal): Actor => ({
  user_id: user.user_id,
  supervises: hasMinimumRole(user.role, 'supervisor'),
});

/** What agents and supervisors do with a call. */
@Injectable()
export class StaffCallActions {
  constructor(
    private readonly database: Database,
    private readonly calls: CallList,
    private readonly transitions: CallTransitions,
    private readonly participants: Reconnection,
    private readonly subscriptions: SubscriptionsService,
    private readonly connections: Connections,
  ) {}

  /**
   * Gives the call to an agent, by default to the caller.
   * @throws 404; 422 for an agent who is not an active user, or a call that is not to be had
   */
  assign(user: Principal, callId: string, assigneeId: string | null): Promise<Call> {
    return this.withCall(user, callId, async (tx, call) => {
      const id = assigneeId ?? user.user_id;
      const name = await this.activeUserName(tx, user.tenant_id, id);
      const assignee = { id, name, explicit: assigneeId !== null };
      const assigned = await this.transitions.apply(tx, call, {
        trigger: 'assign',
        actor: actorOf(user),
        assignee,
      });
      if (call.user_id && call.user_id !== id) await this.connections.leaveCall(tx, callId, call.user_id);
      return assigned;
    });
  }

  /** @throws 403 plan_limit, 404, 422 */
  start(user: Principal, callId: string): Promise<Call> {
    return this.database.tenant(user.tenant_id, async (tx) => {
      // The tenant before the call: whoever locks both does it in this order.
      await this.subscriptions.lockLimits(tx, user.tenant_id);
      const call = await this.assignedIfQueued(tx, user, await this.lockVisible(tx, user, callId));
      const started = await this.transitions.apply(tx, call, { trigger: 'start', actor: actorOf(user) });
      if (started === call) return call;
      await this.ensureRoom(tx, user.tenant_id);
      return this.participants.checkBoth(tx, started);
    });
  }

  /** @throws 404, 422 */
  complete(user: Principal, callId: string, notes: string | null): Promise<Call> {
    return this.withCall(user, callId, async (tx, call) => {
      const move: Move = { trigger: 'complete', actor: actorOf(user), notes };
      return this.transitions.apply(tx, await this.assignedIfQueued(tx, user, call), move);
    });
  }

  private withCall(
    user: Principal,
    callId: string,
    work: (tx: Transaction, call: Call) => Promise<Call>,
  ): Promise<Call> {
    return this.database.tenant(user.tenant_id, async (tx) =>
      work(tx, await this.lockVisible(tx, user, callId)),
    );
  }

  private async lockVisible(tx: Transaction, user: Principal, callId: string): Promise<Call> {
    await this.calls.ensureVisible(tx, user, callId);
    return this.transitions.lock(tx, user.tenant_id, callId);
  }

  /** A queued call that is started or completed outright belongs to whoever did it. */
  private async assignedIfQueued(tx: Transaction, user: Principal, call: Call): Promise<Call> {
    if (call.status !== 'queued') return call;
    const assignee = { id: user.user_id, name: user.name, explicit: false };
    return this.transitions.apply(tx, call, { trigger: 'assign', actor: actorOf(user), assignee });
  }

  /** The started call is among those counted: one more than the limit is one too many. */
  private async ensureRoom(tx: Transaction, tenantId: string): Promise<void> {
    await this.subscriptions.ensureWithinLimit(tx, tenantId, 'max_concurrent_calls', async () => {
      const counted = await tx.one<{ active: number }>(
        `SELECT count(*)::int AS active FROM calls WHERE tenant_id = $1 AND status = 'active'`,
        [tenantId],
      );
      return (counted?.active ?? 0) - 1;
    });
  }

  private async activeUserName(tx: Transaction, tenantId: string, id: string): Promise<string> {
    const user = await tx.one<{ name: string }>(
      'SELECT name FROM users WHERE tenant_id = $1 AND id = $2 AND active FOR SHARE',
      [tenantId, id],
    );
    if (!user) throw invalidField('user_id', 'is not an active user of this tenant');
    return user.name;
  }
}
