import { Injectable } from '@nestjs/common';
import { UserUpdated } from '../../identity/users/user.events';
import { Database } from '../../platform/database/database';
import { Durable } from '../../platform/events/listeners';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { Call } from '../call.entity';
import { RequeueCall } from './requeue-call';

/**
 * Returns the calls of a deactivated agent, who cannot start them, to the queue. It runs after the deactivation, because
 * assigning locks the call before the user: the deactivation waits for an assignment, which this then finds.
 */
@Injectable()
export class RequeueCallsOfInactiveAgents {
  constructor(
    private readonly database: Database,
    private readonly requeueing: RequeueCall,
  ) {}

  @Durable(UserUpdated, 'requeue-calls-of-inactive-agents')
  async onUserUpdated({ tenant_id, subject_id, changed }: UserUpdated): Promise<void> {
    if (!changed.includes('active')) return;
    await runAsReservedBackgroundWork(() => this.requeueCallsOf(tenant_id, subject_id));
  }

  /** Calls without a suspended deadline, which an instance of the previous release assigned, are left to the ring timeout. */
  private requeueCallsOf(tenantId: string, userId: string): Promise<void> {
    return this.database.tenant(tenantId, async (tx) => {
      const calls = await tx.query<Call>(
        `SELECT ${tx.columnsOf(Call, 'c')} FROM calls c JOIN users u ON u.tenant_id = c.tenant_id AND u.id = c.user_id
         WHERE c.tenant_id = $1 AND c.user_id = $2 AND c.status = 'assigned' AND NOT u.active
           AND c.suspended_wait_deadline IS NOT NULL
         ORDER BY c.id FOR NO KEY UPDATE OF c`,
        [tenantId, userId],
      );
      for (const call of calls) await this.requeueing.requeue(tx, call, false);
    });
  }
}
