import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal';
import type { Transaction } from '../../platform/database/transaction';
import type { Call } from '../call.entity';
import { CallTransitions } from '../machine/call-transitions';
import { actorOf } from './actor';
import { type AssignableAgent, AssignableAgents, notAssignable } from './assignable-agents';

/** Assigns calls that the transaction has locked. */
@Injectable()
export class AssignCall {
  constructor(
    private readonly agents: AssignableAgents,
    private readonly transitions: CallTransitions,
  ) {}

  /**
   * Locks the department and the customer of a queued call before the call, without waiting. A call that is started or
   * completed from the queue is written twice, and for a row that the transaction has written before PostgreSQL checks all
   * foreign keys, which locks these rows.
   */
  lockReferences(tx: Transaction, tenantId: string, callId: string): void {
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

  /** Locks the user for ifQueued. Send it in the packet of the lock of the call, and after that. */
  lockAgent(
    tx: Transaction,
    { tenant_id, user_id }: Principal,
    callId: string,
  ): Promise<AssignableAgent | undefined> {
    return this.agents.lockIfQueued(tx, tenant_id, user_id, callId);
  }

  /**
   * Starting or completing a queued call assigns it to the user first.
   * @param agent the result of lockAgent
   * @throws 422
   */
  async ifQueued(
    tx: Transaction,
    user: Principal,
    call: Call,
    agent: AssignableAgent | undefined,
  ): Promise<Call> {
    if (call.status !== 'queued') return call;
    if (!agent) throw notAssignable();
    return this.to(tx, user, call, agent, false);
  }

  /** @param explicit whether the request names the agent @throws 422 */
  to(tx: Transaction, user: Principal, call: Call, agent: AssignableAgent, explicit: boolean): Promise<Call> {
    const move = {
      trigger: 'assign',
      actor: actorOf(user),
      assignee: { ...agent, explicit },
    } as const;
    return this.transitions.apply(tx, call, move);
  }
}
