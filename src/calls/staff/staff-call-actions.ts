import { Injectable } from '@nestjs/common';
import { SubscriptionsService } from '../../plans/subscriptions.service';
import { type Principal } from '../../platform/access/principal';
import { Database } from '../../platform/database/database';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { AgentLocks } from '../../presence/agent-locks';
import { Connections } from '../../presence/connections';
import type { Call } from '../call.entity';
import type { Participant } from '../call.events';
import type { Actor } from '../machine/call.machine';
import { CallTransitions } from '../machine/call-transitions';
import { Reconnection } from '../machine/reconnection';
import { type AssignableAgent, AssignableAgents } from './assignable-agents';
import { CallAccess, visibleCalls } from './call-access';
import { hasMinimumRole } from '../../platform/access/roles';

const actorOf = (user: Principal): Actor => ({
  user_id: user.user_id,
  supervises: hasMinimumRole(user.role, 'supervisor'),
});

/** The state of the agent changes with these actions. Expected together, its webhooks are read with those of the call. */
const AGENT_EVENT = 'agent.state_changed';

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
    private readonly locks: AgentLocks,
    private readonly events: EventBus,
  ) {}

  /**
   * Assigns the call to an agent.
   * @param assigneeId the caller when null
   * @throws 404; 422 if the agent may not take calls, or the call's state does not allow it
   */
  assign(user: Principal, callId: string, assigneeId: string | null): Promise<Call> {
    return this.database.tenant(user.tenant_id, async (tx) => {
      this.events.expect(tx, user.tenant_id, ['call.assigned', AGENT_EVENT]);
      const [call, agent] = await settleAll([
        this.access.lockVisible(tx, user, callId),
        this.agents.lock(tx, user.tenant_id, assigneeId ?? user.user_id),
      ]);
      const assigned = await this.assignTo(tx, user, call, agent, assigneeId !== null);
      const isHandover = call.user_id !== null && call.user_id !== assigned.user_id;
      if (isHandover) this.connections.leaveCall(tx, callId, call.user_id ?? '');
      return assigned;
    });
  }

  /** @throws 403 plan_limit, 404, 422 */
  start(user: Principal, callId: string): Promise<Call> {
    return this.database.tenant(user.tenant_id, async (tx) => {
      this.events.expect(tx, user.tenant_id, ['call.started', AGENT_EVENT]);
      // Lock order: the tenant before the call.
      this.lockLimitIfVisible(tx, user, callId);
      this.lockReferences(tx, user.tenant_id, callId);
      const [locked, withCaller, ensureWithinLimit] = await settleAll([
        this.access.lockVisible(tx, user, callId),
        this.presentWithCaller(tx, user, callId),
        this.concurrencyLimit(tx, user.tenant_id),
      ]);
      const call = await this.assignedIfQueued(tx, user, locked);
      const known = call.user_id === user.user_id ? withCaller : undefined;
      const connected = known?.agent ? this.reconnection.agentConnected(call) : {};
      const move = { trigger: 'start', actor: actorOf(user) } as const;
      const starting = this.transitions.apply(tx, call, move, connected);
      const [started, present] = await settleAll([
        starting,
        known ?? this.connections.inCall(tx, callId, call.user_id),
      ]);
      if (started === call) return call;
      ensureWithinLimit();
      return this.reconnection.checkBoth(tx, started, present);
    });
  }

  /** @throws 404, 422 */
  complete(user: Principal, callId: string, notes: string | null): Promise<Call> {
    return this.database.tenant(user.tenant_id, async (tx) => {
      this.events.expect(tx, user.tenant_id, ['call.completed', AGENT_EVENT]);
      this.lockReferences(tx, user.tenant_id, callId);
      const call = await this.assignedIfQueued(tx, user, await this.access.lockVisible(tx, user, callId));
      return this.transitions.apply(tx, call, { trigger: 'complete', actor: actorOf(user), notes });
    });
  }

  /**
   * Locks the department and the customer of a queued call before the call. Such a call is written twice, and for a row
   * that the transaction has written before PostgreSQL checks all foreign keys, which locks these rows.
   */
  private lockReferences(tx: Transaction, tenantId: string, callId: string): void {
    tx.send({
      text: `WITH queued AS (
          SELECT department_id, customer_id FROM calls WHERE tenant_id = $1 AND id = $2 AND status = 'queued'),
        department AS MATERIALIZED (
          SELECT id FROM departments WHERE tenant_id = $1 AND id = (SELECT department_id FROM queued) FOR KEY SHARE),
        customer AS MATERIALIZED (
          SELECT id FROM customers WHERE tenant_id = $1 AND id = (SELECT customer_id FROM queued) FOR KEY SHARE)
        SELECT (SELECT id FROM department), (SELECT id FROM customer)`,
      values: [tenantId, callId],
    });
  }

  /** Starting or completing a queued call assigns it to the caller first. */
  private async assignedIfQueued(tx: Transaction, user: Principal, call: Call): Promise<Call> {
    if (call.status !== 'queued') return call;
    return this.assignTo(tx, user, call, await this.agents.lock(tx, user.tenant_id, user.user_id), false);
  }

  private assignTo(
    tx: Transaction,
    user: Principal,
    call: Call,
    agent: AssignableAgent,
    explicit: boolean,
  ): Promise<Call> {
    const move = { trigger: 'assign', actor: actorOf(user), assignee: { ...agent, explicit } } as const;
    return this.transitions.apply(tx, call, move);
  }

  /**
   * Who has an open socket when the caller starts their own call or a queued one: read with the locks, so that the start
   * writes the call once. Called after the call is locked, because its lock comes before that of the agent. For another
   * agent's call, nothing is locked and the answer says nothing about that agent: it must be read after the start.
   */
  private presentWithCaller(
    tx: Transaction,
    { user_id }: Principal,
    callId: string,
  ): Promise<Record<Participant, boolean>> {
    this.locks.lock(tx, [user_id], {
      from: 'FROM calls WHERE id = $1 AND (user_id IS NULL OR user_id = $2)',
      values: [callId, user_id],
    });
    return this.connections.inCall(tx, callId, user_id);
  }

  /** Takes the lock of the plan's limit, but not for an unknown call: such requests must not wait for each other. */
  private lockLimitIfVisible(tx: Transaction, user: Principal, callId: string): void {
    const { sql, values } = visibleCalls(user).and('c.id = ?', callId);
    const rows = { from: `FROM calls c ${sql}`, values };
    this.subscriptions.lockLimitIf(tx, user.tenant_id, 'max_concurrent_calls', rows);
  }

  /** The caller holds the lock of the limits. @returns a function that throws 403 plan_limit */
  private concurrencyLimit(tx: Transaction, tenantId: string): Promise<() => void> {
    return this.subscriptions.limitCheck(tx, tenantId, 'max_concurrent_calls', async () => {
      const counted = await tx.one<{ active: number }>(
        `SELECT count(*)::int AS active FROM calls WHERE tenant_id = $1 AND status = 'active'`,
        [tenantId],
      );
      return counted?.active ?? 0;
    });
  }
}
