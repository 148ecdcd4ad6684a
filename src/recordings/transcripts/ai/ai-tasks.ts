import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock';
import { Database } from '../../../platform/database/database';
import type { Transaction } from '../../../platform/database/transaction';
import { EventBus } from '../../../platform/events/event-bus';
import { Jobs } from '../../../platform/jobs/jobs';
import { AiFailure } from './ai-failure';
import { AiPermission } from './ai-permission';
import { type AiTask, type RecordingRef, resultEvent } from './ai-task';
import { type Failure, failureOf } from './failure-of';
import { MAX_ATTEMPTS, retryDelay } from './retry-delay';

/** What a provider gives, by the columns that it is kept in. */
type Result = Readonly<Record<string, string>>;

interface Begun {
  attempt: number;
  /** Whether anything may go to a provider. */
  allowed: boolean;
}

/**
 * Gets results from providers. A row says how far one is; whoever writes it does so on the condition that it is
 * still pending, so of many tries at once one gives the result.
 */
@Injectable()
export class AiTasks {
  private readonly logger = new Logger('AI');

  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
    private readonly jobs: Jobs,
    private readonly permission: AiPermission,
    private readonly clock: Clock,
  ) {}

  /**
   * One try, for a job's handler. A provider's failure ends the job: the next try is a job of its own. What is
   * thrown is ours, and the job is tried again.
   */
  async run(task: AiTask, ref: RecordingRef, signal: AbortSignal, ask: () => Promise<Result>): Promise<void> {
    const begun = await this.begin(task, ref);
    if (begun === undefined) return;
    const { attempt, allowed } = begun;
    let result: Result;
    try {
      if (!allowed) throw new AiFailure('not_allowed');
      result = await ask();
    } catch (error) {
      // The job is somebody else's now, who counts a try of their own.
      signal.throwIfAborted();
      return this.settle(task, ref, attempt, failureOf(error, this.clock.now()));
    }
    await this.finish(task, ref, result);
  }

  /** Counts the try before it is made, so that one over which processes die is not made for ever. */
  private begin(task: AiTask, ref: RecordingRef): Promise<Begun | undefined> {
    return this.database.tenant(ref.tenant_id, async (tx) => {
      const begun = await tx.one<{ attempts: number }>(
        `UPDATE ${task.table} SET attempts = attempts + 1
         WHERE recording_id = $1 AND status = 'pending' RETURNING attempts`,
        [ref.recording_id],
      );
      if (!begun) return undefined;
      const { attempts: attempt } = begun;
      if (attempt <= MAX_ATTEMPTS) {
        return { attempt, allowed: await this.permission.has(tx, ref.tenant_id, task.feature) };
      }
      await this.fail(tx, task, ref, attempt, 'interrupted');
      return undefined;
    });
  }

  private finish(task: AiTask, ref: RecordingRef, result: Result): Promise<void> {
    const columns = Object.keys(result);
    return this.database.tenant(ref.tenant_id, async (tx) => {
      // Before the result's row, in the order in which a recording's deletion takes them.
      await tx.query('SELECT FROM recordings WHERE id = $1 FOR KEY SHARE', [ref.recording_id]);
      const done = await tx.query(
        `UPDATE ${task.table} SET status = 'ready', failure = NULL, generated_at = $2,
           ${columns.map((column, index) => `${column} = $${index + 3}`).join(', ')}
         WHERE recording_id = $1 AND status = 'pending' RETURNING recording_id`,
        [ref.recording_id, this.clock.now(), ...Object.values(result)],
      );
      if (done.length > 0)
        await this.events.record(tx, resultEvent(task.ready, ref, this.clock.now().toISOString()));
    });
  }

  private async settle(task: AiTask, ref: RecordingRef, attempt: number, failure: Failure): Promise<void> {
    const isLast = failure.permanent || attempt >= MAX_ATTEMPTS;
    const seconds = retryDelay(attempt, failure.retry_after);
    this.logger.warn(
      `The ${task.name} of recording ${ref.recording_id} failed: ${failure.code}${failure.reason && ` (${failure.reason})`}, ` +
        `try ${attempt} of ${MAX_ATTEMPTS}, ${isLast ? 'not tried again' : `again in ${seconds} s`}`,
    );
    await this.database.tenant(ref.tenant_id, async (tx) => {
      if (isLast) return this.fail(tx, task, ref, attempt, failure.code);
      const mine = await tx.query(
        `UPDATE ${task.table} SET failure = $3
         WHERE recording_id = $1 AND status = 'pending' AND attempts = $2 RETURNING recording_id`,
        [ref.recording_id, attempt, failure.code],
      );
      if (mine.length > 0) await this.jobs.enqueue(tx, task.job, ref, seconds);
    });
  }

  /** Of tries at once the latest decides. */
  private async fail(
    tx: Transaction,
    task: AiTask,
    ref: RecordingRef,
    attempt: number,
    code: string,
  ): Promise<void> {
    const failed = await tx.query(
      `UPDATE ${task.table} SET status = 'failed', failure = $3
       WHERE recording_id = $1 AND status = 'pending' AND attempts = $2 RETURNING recording_id`,
      [ref.recording_id, attempt, code],
    );
    if (failed.length > 0)
      await this.events.record(tx, resultEvent(task.failed, ref, this.clock.now().toISOString()));
  }
}
