import { Injectable } from '@nestjs/common';
import { SubscriptionsService } from '../../plans/subscriptions.service';
import type { Principal } from '../../platform/access/principal';
import type { Filter } from '../../platform/database/filter';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { AgentLocks } from '../../presence/agent-locks';
import { Connections } from '../../presence/connections';
import type { Call } from '../call.entity';
import type { Participant } from '../call.events';
import { CallTransitions } from '../machine/call-transitions';
import { Reconnection } from '../machine/reconnection';
import { actorOf } from './actor';
import { AssignCall } from './assign-call';
import type { AssignableAgent } from './assignable-agents';

/** A call that its agent is about to start; the transaction has locked everything that the start changes. */
export interface CallToStart {
  call: Call;
  /** The user, if the call is waiting and they may take it. */
  agent: AssignableAgent | undefined;
  /** Who of the call's customer and the user has an open socket. */
  withUser: Record<Participant, boolean>;
  /** 403 plan_limit if the plan allows no other active call. */
  refusal: Error | undefined;
}

/** Starts a call for a member of staff, and assigns it to them first if it is waiting. */
@Injectable()
export class TakeCall {
  constructor(
    private readonly transitions: CallTransitions,
    private readonly assigning: AssignCall,
    private readonly reconnection: Reconnection,
    private readonly subscriptions: SubscriptionsService,
    private readonly connections: Connections,
    private readonly locks: AgentLocks,
  ) {}

  /**
   * Locks the call and, before and after it, what its start depends on, in one round trip if the plan has no limit.
   * @param filter of the one call `c`
   * @throws 404 unless the filter matches a call
   */
  async lock(tx: Transaction, user: Principal, callId: string, filter: Filter): Promise<CallToStart> {
    const { tenant_id } = user;
    // Lock order: the tenant before the call. An unknown call takes no lock: such requests must not wait for each other.
    const rows = { from: `FROM calls c ${filter.sql}`, values: filter.values };
    this.subscriptions.lockLimitIf(tx, tenant_id, 'max_concurrent_calls', rows);
    this.assigning.lockReferences(tx, tenant_id, callId);
    const [call, agent, withUser, refusal] = await settleAll([
      this.transitions.lockWhere(tx, filter),
      this.assigning.lockAgent(tx, user, callId),
      this.presentWithUser(tx, user, callId),
      this.refusalOf(tx, tenant_id),
    ]);
    return { call, agent, withUser, refusal };
  }

  /** @throws 403 plan_limit; 422 if the state of the call, or its agent, does not allow it */
  async start(
    tx: Transaction,
    user: Principal,
    { call: locked, agent, withUser, refusal }: CallToStart,
  ): Promise<Call> {
    const call = await this.assigning.ifQueued(tx, user, locked, agent);
    const known = call.user_id === user.user_id ? withUser : undefined;
    const connected = known?.agent ? this.reconnection.agentConnected(call) : {};
    const move = { trigger: 'start', actor: actorOf(user) } as const;
    const starting = this.transitions.apply(tx, call, move, connected);
    const [started, present] = await settleAll([
      starting,
      known ?? this.connections.inCall(tx, call.id, call.user_id),
    ]);
    if (started === call) return call;
    if (refusal) throw refusal;
    return this.reconnection.checkBoth(tx, started, present);
  }

  /**
   * Who has an open socket when the user starts their own call or a queued one: read with the locks, so that the start
   * writes the call once. Called after the call is locked, because its lock comes before that of the agent. For another
   * agent's call, nothing is locked and the answer says nothing about that agent: it must be read after the start.
   */
  private presentWithUser(
    tx: Transaction,
    { tenant_id, user_id }: Principal,
    callId: string,
  ): Promise<Record<Participant, boolean>> {
    const isTheirs = {
      from: 'FROM calls WHERE id = $1 AND (user_id IS NULL OR user_id = $2)',
      values: [callId, user_id],
    };
    this.locks.lockWithOffered(tx, [user_id], { tenantId: tenant_id, ids: [callId] }, isTheirs);
    return this.connections.inCall(tx, callId, user_id);
  }

  /** The caller holds the lock of the limits. */
  private refusalOf(tx: Transaction, tenantId: string): Promise<Error | undefined> {
    return this.subscriptions.refusalOf(tx, tenantId, 'max_concurrent_calls', async () => {
      const counted = await tx.one<{ active: number }>(
        `SELECT count(*)::int AS active FROM calls WHERE tenant_id = $1 AND status = 'active'`,
        [tenantId],
      );
      return counted?.active ?? 0;
    });
  }
}
