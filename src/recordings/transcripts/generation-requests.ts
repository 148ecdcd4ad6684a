import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { Jobs } from '../../platform/jobs/jobs';
import { generationEvent, type GenerationTask, type RecordingRef } from './generation-task';

/** All attempts finish within four hours: a row that is pending after a day has lost its job. */
const STALLED_AFTER_MS = 24 * 60 * 60 * 1000;
const BATCH_SIZE = 200;

/** Requests generation tasks: writes the pending row and its job in one transaction. */
@Injectable()
export class GenerationRequests {
  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /** @returns false, without an effect, if the task was requested for this recording before */
  async request(tx: Transaction, task: GenerationTask, ref: RecordingRef): Promise<boolean> {
    const added = await tx.query(
      `INSERT INTO ${task.table} (recording_id, tenant_id, call_id, status, inserted_at, requested_at)
       VALUES ($1, $2, $3, 'pending', $4, $4)
       ON CONFLICT ON CONSTRAINT ${task.table}_pkey DO NOTHING RETURNING recording_id`,
      [ref.recording_id, ref.tenant_id, ref.call_id, this.clock.now()],
    );
    if (added.length > 0) await this.jobs.enqueue(tx, task.job, ref);
    return added.length > 0;
  }

  /**
   * Requests a task on behalf of staff: again if it failed, or for the first time if `isWanted`.
   * @returns whether it was requested
   */
  async retry(tx: Transaction, task: GenerationTask, ref: RecordingRef, isWanted: boolean): Promise<boolean> {
    const isRequested =
      (await this.retryFailed(tx, task, ref)) || (isWanted && (await this.request(tx, task, ref)));
    if (isRequested) {
      await this.events.record(tx, generationEvent(task.retried, ref, this.clock.now().toISOString()));
    }
    return isRequested;
  }

  private async retryFailed(tx: Transaction, task: GenerationTask, ref: RecordingRef): Promise<boolean> {
    const changed = await tx.query(
      `UPDATE ${task.table} SET status = 'pending', attempts = 0, failure = NULL, requested_at = $2
       WHERE recording_id = $1 AND status = 'failed' RETURNING recording_id`,
      [ref.recording_id, this.clock.now()],
    );
    if (changed.length > 0) await this.jobs.enqueue(tx, task.job, ref);
    return changed.length > 0;
  }

  /**
   * Enqueues a new job for each row that has lost its own, for example through a restored database or the queue's
   * retention. The attempts are kept, so a task that stalls every time fails in the end.
   */
  async requeueStalled(task: GenerationTask): Promise<void> {
    const now = this.clock.now();
    for (let hasMore = true; hasMore;) {
      hasMore = await this.database.system(async (tx) => {
        const stalled = await tx.query<RecordingRef>(
          `UPDATE ${task.table} SET requested_at = $1 WHERE recording_id IN (
             SELECT recording_id FROM ${task.table} WHERE status = 'pending' AND requested_at < $2
             LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)
           RETURNING tenant_id, recording_id, call_id`,
          [now, new Date(now.getTime() - STALLED_AFTER_MS)],
        );
        for (const ref of stalled) await this.jobs.enqueue(tx, task.job, ref);
        return stalled.length === BATCH_SIZE;
      });
    }
  }
}
