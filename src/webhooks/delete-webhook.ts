import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { EventBus } from '../platform/events/event-bus';
import { Jobs } from '../platform/jobs/jobs';
import { lockWebhook } from './lock-webhook';
import { WebhookDeleted, WebhookUpdated } from './webhook.events';

/** Waiting jobs are stored under this name, so renaming it would lose them. */
const QUEUE = 'webhooks.delete';
/** Enough for millions of deliveries; a longer attempt is continued by the next one. */
const MAX_ATTEMPT_SECONDS = 900;
/** Deliveries deleted in one transaction: a short one, since it locks all of them. */
const BATCH_SIZE = 5000;

interface DeleteJob {
  tenant_id: string;
  webhook_id: string;
}

/** Deletes a webhook: hides it at once, and removes it with its deliveries in a job. */
@Injectable()
export class DeleteWebhook implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<DeleteJob>(QUEUE, (job, signal) => this.remove(job, signal), {
      expireInSeconds: MAX_ATTEMPT_SECONDS,
    });
  }

  /** Deactivates and hides the webhook. Nothing is sent to it any more, except by attempts in flight. @throws 404 */
  async delete(tenantId: string, id: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      const { active } = await lockWebhook(tx, tenantId, id);
      const now = this.clock.now();
      await tx.query(
        `UPDATE webhooks SET active = false, disabled_at = NULL, disabled_reason = NULL, updated_at = $2, deleted_at = $2
         WHERE id = $1`,
        [id, now],
      );
      const at = now.toISOString();
      if (active) await this.events.record(tx, new WebhookUpdated(tenantId, id, at, ['active']));
      await this.events.record(tx, new WebhookDeleted(tenantId, id, at));
      const job: DeleteJob = { tenant_id: tenantId, webhook_id: id };
      await this.jobs.enqueue(tx, QUEUE, job);
    });
  }

  /**
   * Removes the deliveries in batches and the webhook last, so that no transaction locks many rows for long.
   * @throws the signal's reason when it is aborted between two batches
   */
  private async remove({ tenant_id, webhook_id }: DeleteJob, signal: AbortSignal): Promise<void> {
    let deleted: number;
    do {
      signal.throwIfAborted();
      deleted = await this.removeDeliveries(tenant_id, webhook_id);
    } while (deleted > 0);
    await this.database.tenant(tenant_id, (tx) =>
      tx.query('DELETE FROM webhooks WHERE id = $1 AND deleted_at IS NOT NULL', [webhook_id]),
    );
  }

  private async removeDeliveries(tenantId: string, webhookId: string): Promise<number> {
    const deleted = await this.database.tenant(tenantId, (tx) =>
      tx.query(
        `DELETE FROM webhook_deliveries WHERE id IN (
           SELECT id FROM webhook_deliveries WHERE tenant_id = $1 AND webhook_id = $2 LIMIT ${BATCH_SIZE}
           FOR UPDATE SKIP LOCKED)
         RETURNING id`,
        [tenantId, webhookId],
      ),
    );
    return deleted.length;
  }
}
