import { Injectable } from '@nestjs/common';
import { SubscriptionsService } from '../../plans/subscriptions.service';
import { type Principal } from '../../platform/access/principal';
import { Database } from '../../platform/database/database';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { Connections } from '../../presence/connections';
import type { Call } from '../call.entity';
import type { Actor } from '../machine/call.machine';
import { CallTransitions } from '../machine/call-transitions';
import { Reconnection } from '../machine/reconnection';
import { AssignableAgents } from './assignable-agents';
import { CallAccess } from './call-access';
import { hasMinimumRole } from '../../platform/access/roles';

const actorOf = (user: Principal): Actor => ({
  user_id: user.user_id,
  supervises: hasMinimumRole(user.role, 'supervisor'),
});

/** Assigning, starting and completing calls. */
@Injectable()
export class StaffCallActions {
  constructor(
    private readonly database: Database,
    private readonly access: CallAccess,
    private readonly agents: AssignableAgents,
    private readonly transitions: CallTransitions,
    private readonly reconnection: Reconnection,
    private readonly subscriptions: SubscriptionsService,
    private readonly connections: Connections,
  ) {}

  /**
   * Assigns the call to an agent.
   * @param assigneeId the caller when null
   * @throws 404; 422 if the agent may not take calls, or the call's state does not allow it
   */
  assign(user: Principal, callId: string, assigneeId: string | null): Promise<Call> {
    return this.database.tenant(user.tenant_id, async (tx) => {
      const call = await this.access.lockVisible(tx, user, callId);
      const assigned = await this.assignTo(tx, user, call, assigneeId);
      const isHandover = call.user_id !== null && call.user_id !== assigned.user_id;
      if (isHandover) await this.connections.leaveCall(tx, callId, call.user_id ?? '');
      return assigned;
    });
  }

  /** @throws 403 plan_limit, 404, 422 */
  start(user: Principal, callId: string): Promise<Call> {
    return this.database.tenant(user.tenant_id, async (tx) => {
      // Before any lock: requests for unknown calls must not wait for each other.
      await this.access.ensureVisible(tx, user, callId);
      // Lock order: the tenant before the call.
      await this.subscriptions.lockLimits(tx, user.tenant_id);
      await this.lockReferences(tx, user.tenant_id, callId);
      const call = await this.assignedIfQueued(tx, user, await this.access.lockVisible(tx, user, callId));
      const started = await this.transitions.apply(tx, call, { trigger: 'start', actor: actorOf(user) });
      if (started === call) return call;
      await this.ensureConcurrencyLimit(tx, user.tenant_id);
      return this.reconnection.checkBoth(tx, started);
    });
  }

  /** @throws 404, 422 */
  complete(user: Principal, callId: string, notes: string | null): Promise<Call> {
    return this.database.tenant(user.tenant_id, async (tx) => {
      await this.lockReferences(tx, user.tenant_id, callId);
      const call = await this.assignedIfQueued(tx, user, await this.access.lockVisible(tx, user, callId));
      return this.transitions.apply(tx, call, { trigger: 'complete', actor: actorOf(user), notes });
    });
  }

  /**
   * Locks the call's department and customer before the call. A queued call is written twice, and for a row that the
   * transaction has written before PostgreSQL checks all foreign keys, which locks these rows.
   */
  private async lockReferences(tx: Transaction, tenantId: string, callId: string): Promise<void> {
    const statements = [
      ['departments', 'department_id'],
      ['customers', 'customer_id'],
    ].map(([table, column]) =>
      tx.query(
        `SELECT FROM ${table} WHERE tenant_id = $1
           AND id = (SELECT ${column} FROM calls WHERE tenant_id = $1 AND id = $2) FOR KEY SHARE`,
        [tenantId, callId],
      ),
    );
    await settleAll(statements);
  }

  /** Starting or completing a queued call assigns it to the caller first. */
  private async assignedIfQueued(tx: Transaction, user: Principal, call: Call): Promise<Call> {
    return call.status === 'queued' ? this.assignTo(tx, user, call, null) : call;
  }

  private async assignTo(
    tx: Transaction,
    user: Principal,
    call: Call,
    assigneeId: string | null,
  ): Promise<Call> {
    const agent = await this.agents.lock(tx, call, assigneeId ?? user.user_id);
    const assignee = { ...agent, explicit: assigneeId !== null };
    return this.transitions.apply(tx, call, { trigger: 'assign', actor: actorOf(user), assignee });
  }

  /** @throws 403 plan_limit. The count includes the call just started. */
  private async ensureConcurrencyLimit(tx: Transaction, tenantId: string): Promise<void> {
    await this.subscriptions.ensureWithinLimit(tx, tenantId, 'max_concurrent_calls', async () => {
      const counted = await tx.one<{ active: number }>(
        `SELECT count(*)::int AS active FROM calls WHERE tenant_id = $1 AND status = 'active'`,
        [tenantId],
      );
      return (counted?.active ?? 0) - 1;
    });
  }
}
