import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { Jobs } from '../../platform/jobs/jobs';
import { AiError } from './ai/ai-error';
import { type AttemptFailure, classifyFailure } from './ai/classify-failure';
import { MAX_ATTEMPTS, retryDelaySeconds } from './ai/retry-delay';
import { GenerationPolicy } from './generation-policy';
import { generationEvent, type GenerationTask, type RecordingRef } from './generation-task';

/** What was generated, by column of the task's table. */
type GeneratedColumns = Readonly<Record<string, string>>;

interface StartedAttempt {
  attempt: number;
  isAllowed: boolean;
}

/**
 * Runs attempts at a generation task. Every update requires that the row is still pending, so of several concurrent
 * attempts only one saves its result.
 */
@Injectable()
export class GenerationRunner {
  private readonly logger = new Logger('AI');

  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
    private readonly jobs: Jobs,
    private readonly policy: GenerationPolicy,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs one attempt, within a job. If `generate` fails, the job is done and the retry is a job of its own.
   * @throws errors of this service, such as those of the database; the queue then runs the job again
   */
  async run(
    task: GenerationTask,
    ref: RecordingRef,
    signal: AbortSignal,
    generate: () => Promise<GeneratedColumns>,
  ): Promise<void> {
    const started = await this.startAttempt(task, ref);
    if (!started) return;
    let columns: GeneratedColumns;
    try {
      if (!started.isAllowed) throw new AiError('not_allowed');
      columns = await generate();
    } catch (error) {
      // Another process runs the job by now and counts its own attempt.
      signal.throwIfAborted();
      return this.handleFailure(task, ref, started.attempt, classifyFailure(error, this.clock.now()));
    }
    await this.saveResult(task, ref, columns);
  }

  /** Counts the attempt before it is made, so that a recording that crashes the process is not retried forever. */
  private startAttempt(task: GenerationTask, ref: RecordingRef): Promise<StartedAttempt | undefined> {
    return this.database.tenant(ref.tenant_id, async (tx) => {
      const row = await tx.one<{ attempts: number }>(
        `UPDATE ${task.table} SET attempts = attempts + 1
         WHERE recording_id = $1 AND status = 'pending' RETURNING attempts`,
        [ref.recording_id],
      );
      if (!row) return undefined;
      const { attempts: attempt } = row;
      if (attempt <= MAX_ATTEMPTS) {
        return { attempt, isAllowed: await this.policy.isAllowed(tx, ref.tenant_id, task.feature) };
      }
      await this.markFailed(tx, task, ref, attempt, 'interrupted');
      return undefined;
    });
  }

  private saveResult(task: GenerationTask, ref: RecordingRef, generated: GeneratedColumns): Promise<void> {
    const columns = Object.keys(generated);
    return this.database.tenant(ref.tenant_id, async (tx) => {
      // Locked first, as when a recording is deleted: the same order prevents a deadlock.
      await tx.query('SELECT FROM recordings WHERE id = $1 FOR KEY SHARE', [ref.recording_id]);
      const saved = await tx.query(
        `UPDATE ${task.table} SET status = 'ready', failure = NULL, generated_at = $2,
           ${columns.map((column, index) => `${column} = $${index + 3}`).join(', ')}
         WHERE recording_id = $1 AND status = 'pending' RETURNING recording_id`,
        [ref.recording_id, this.clock.now(), ...Object.values(generated)],
      );
      if (saved.length > 0)
        await this.events.record(tx, generationEvent(task.ready, ref, this.clock.now().toISOString()));
    });
  }

  private async handleFailure(
    task: GenerationTask,
    ref: RecordingRef,
    attempt: number,
    failure: AttemptFailure,
  ): Promise<void> {
    const isLast = failure.isPermanent || attempt >= MAX_ATTEMPTS;
    const seconds = retryDelaySeconds(attempt, failure.retryAfterSeconds);
    this.logger.warn(
      `The ${task.name} of recording ${ref.recording_id} failed: ${failure.code}${failure.reason && ` (${failure.reason})`}, ` +
        `attempt ${attempt} of ${MAX_ATTEMPTS}, ${isLast ? 'no retry' : `retry in ${seconds} s`}`,
    );
    await this.database.tenant(ref.tenant_id, async (tx) => {
      if (isLast) return this.markFailed(tx, task, ref, attempt, failure.code);
      const updated = await tx.query(
        `UPDATE ${task.table} SET failure = $3
         WHERE recording_id = $1 AND status = 'pending' AND attempts = $2 RETURNING recording_id`,
        [ref.recording_id, attempt, failure.code],
      );
      if (updated.length > 0) await this.jobs.enqueue(tx, task.job, ref, { afterSeconds: seconds });
    });
  }

  /** Only the latest of several concurrent attempts can fail the task. */
  private async markFailed(
    tx: Transaction,
    task: GenerationTask,
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
      await this.events.record(tx, generationEvent(task.failed, ref, this.clock.now().toISOString()));
  }
}
