import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { Jobs } from '../platform/jobs/jobs';
import { type DisableReason, WebhookDisabled } from './webhook.events';

/** Waiting jobs are stored under this name, so renaming it would lose them. */
const QUEUE = 'webhooks.fail-backlog';
/** Deliveries that fail in one transaction. */
const BATCH_SIZE = 1000;

/** The error of deliveries that came due while their webhook was inactive. */
export const WEBHOOK_INACTIVE = 'the webhook is inactive';

interface BacklogJob {
  tenant_id: string;
  webhook_id: string;
  /** When the webhook was disabled, ISO 8601. */
  disabled_at: string;
}

/** Disables webhooks by decision of the service. */
@Injectable()
export class DisableWebhook implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly events: EventBus,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<BacklogJob>(QUEUE, (job, signal) => this.failBacklog(job, signal));
  }

  /**
   * Does nothing if the webhook is not active. A job fails the pending deliveries of a backlog, so that the webhook begins
   * with none when it is activated again. They can be replayed.
   */
  async disable(
    tx: Transaction,
    tenantId: string,
    id: string,
    reason: DisableReason,
    now: Date,
  ): Promise<void> {
    const disabled = await tx.query(
      `UPDATE webhooks SET active = false, disabled_at = $2, disabled_reason = $3, updated_at = $2
       WHERE id = $1 AND active RETURNING id`,
      [id, now, reason],
    );
    if (disabled.length === 0) return;
    const disabled_at = now.toISOString();
    await this.events.record(tx, new WebhookDisabled(tenantId, id, disabled_at, reason));
    if (reason !== 'backlog') return;
    const job: BacklogJob = { tenant_id: tenantId, webhook_id: id, disabled_at };
    await this.jobs.enqueue(tx, QUEUE, job);
  }

  /**
   * Attempts in flight are left alone: if they fail, their next ones come due while the webhook is inactive.
   * @throws the signal's reason when it is aborted between two batches
   */
  private async failBacklog(
    { tenant_id, webhook_id, disabled_at }: BacklogJob,
    signal: AbortSignal,
  ): Promise<void> {
    let failed: object[];
    do {
      signal.throwIfAborted();
      failed = await this.database.tenant(tenant_id, (tx) =>
        tx.query(
          `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, claimed_until = NULL, error = $3
           WHERE id IN (SELECT id FROM webhook_deliveries
             WHERE webhook_id = $1 AND status = 'pending' AND replayed_at IS NULL AND inserted_at <= $2
               AND COALESCE(claimed_until, '-infinity') <= now()
             ORDER BY inserted_at, id LIMIT ${BATCH_SIZE} FOR NO KEY UPDATE)
           RETURNING id`,
          [webhook_id, disabled_at, WEBHOOK_INACTIVE],
        ),
      );
      // LIMIT counts the rows that remain after waiting for their locks, so a short batch is the last.
    } while (failed.length === BATCH_SIZE);
  }
}
