import { Injectable } from '@nestjs/common';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { Connections } from '../../presence/connections';
import type { Call } from '../call.entity';
import { Absence } from './absence';
import { CallTransitions } from './call-transitions';
import { returnsToQueue } from './requeue.effects';

/** Returns assigned calls, which the transaction has locked, to their places in the queue. */
@Injectable()
export class RequeueCall {
  constructor(
    private readonly transitions: CallTransitions,
    private readonly connections: Connections,
    private readonly absence: Absence,
  ) {}

  /** The agent did not start the call in time: it returns to the queue, or is missed after the department's max_unanswered. */
  async afterRingTimeout(tx: Transaction, call: Call): Promise<void> {
    const department = await tx.one<{ max_unanswered: number }>(
      'SELECT max_unanswered FROM departments WHERE tenant_id = $1 AND id = $2',
      [call.tenant_id, call.department_id],
    );
    if (department && returnsToQueue(call, department.max_unanswered)) await this.requeue(tx, call, true);
    else await this.transitions.apply(tx, call, { trigger: 'ring_timeout' });
  }

  /**
   * @param isUnanswered whether the agent did not start the call in time
   * @throws 422 invalid_transition unless the call is assigned
   */
  async requeue(tx: Transaction, call: Call, isUnanswered: boolean): Promise<void> {
    const absence = await this.absence.ofReturningCall(tx, call.id);
    await settleAll([
      this.transitions.apply(tx, call, {
        trigger: 'requeue',
        requeue: { is_unanswered: isUnanswered, absence },
      }),
      this.connections.leaveCall(tx, call.id, call.user_id ?? ''),
    ]);
  }
}
