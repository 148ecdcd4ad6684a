import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock';
import { Database } from '../../../platform/database/database';
import type { Transaction } from '../../../platform/database/transaction';
import { EventBus } from '../../../platform/events/event-bus';
import { Jobs } from '../../../platform/jobs/jobs';
import { type AiTask, type RecordingRef, resultEvent } from './ai-task';

/** Tries end within four hours: what is pending after a day has no job any more. */
const STUCK_MS = 24 * 60 * 60 * 1000;
const BATCH = 200;

/** Asks for results: a row that is pending, and the job that sees to it, in one transaction. */
@Injectable()
export class AiRequests {
  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /** Asks for a result. @returns whether it was never asked for before; else nothing happens */
  async request(tx: Transaction, task: AiTask, ref: RecordingRef): Promise<boolean> {
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
   * Asks for a result because staff want it: once more for one that failed, and for one that was never asked for
   * where it is `wanted`. @returns whether there was anything to ask for
   */
  async retry(tx: Transaction, task: AiTask, ref: RecordingRef, wanted: boolean): Promise<boolean> {
    const asked = (await this.again(tx, task, ref)) || (wanted && (await this.request(tx, task, ref)));
    if (asked) await this.events.record(tx, resultEvent(task.retried, ref, this.clock.now().toISOString()));
    return asked;
  }

  private async again(tx: Transaction, task: AiTask, ref: RecordingRef): Promise<boolean> {
    const changed = await tx.query(
      `UPDATE ${task.table} SET status = 'pending', attempts = 0, failure = NULL, requested_at = $2
       WHERE recording_id = $1 AND status = 'failed' RETURNING recording_id`,
      [ref.recording_id, this.clock.now()],
    );
    if (changed.length > 0) await this.jobs.enqueue(tx, task.job, ref);
    return changed.length > 0;
  }

  /**
   * Gives a new job to each result that is stuck, its own having gone with a restored database or the queue's
   * retention. Tries stay counted: what is stuck again and again comes to its end.
   */
  async resume(task: AiTask): Promise<void> {
    const now = this.clock.now();
    for (let goOn = true; goOn;) {
      goOn = await this.database.system(async (tx) => {
        const stuck = await tx.query<RecordingRef>(
          `UPDATE ${task.table} SET requested_at = $1 WHERE recording_id IN (
             SELECT recording_id FROM ${task.table} WHERE status = 'pending' AND requested_at < $2
             LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
           RETURNING tenant_id, recording_id, call_id`,
          [now, new Date(now.getTime() - STUCK_MS)],
        );
        for (const ref of stuck) await this.jobs.enqueue(tx, task.job, ref);
        return stuck.length === BATCH;
      });
    }
  }
}
