import type { PgBoss } from 'pg-boss';
import { runAsLongWork } from '../logging/request-context';
import { dueQueues } from './due-queues';
import { RecurringTask } from './recurring-task';
import type { TaskIntervals } from './task-intervals';

/**
 * Runs one job. The signal is aborted when this attempt no longer counts: it timed out, the process stops,
 * or another instance has taken over the job.
 */
export type Handler<Data> = (data: Data, signal: AbortSignal) => Promise<void>;

/** Options of the jobs of one name. */
export interface JobOptions {
  /** Jobs that one instance runs at a time; 1 by default. */
  concurrency?: number;
  /** Seconds after which an attempt counts as failed; 120 by default. */
  expireInSeconds?: number;
  /** Whether a job is not written while another one with the same key waits or runs. */
  isExclusive?: boolean;
}

/** The jobs of one name. */
export interface JobQueue extends JobOptions {
  handler: Handler<unknown>;
}

/** How often an instance looks for jobs of other instances and for delayed retries, in all queues with one query. */
const POLLING_INTERVAL_MS = 2000;
/** How often each worker looks by itself, although it is woken for every job. */
const WORKER_POLLING_SECONDS = 60;

/** The workers of this instance, which run jobs. They are woken for the jobs that are due. */
export class JobWorkers {
  /** The ids of the workers, by the name of their jobs. */
  private readonly workers = new Map<string, string[]>();
  private readonly polling: RecurringTask;

  constructor(
    private readonly boss: PgBoss,
    intervals: TaskIntervals,
  ) {
    this.polling = new RecurringTask(JobWorkers.name, intervals.of(POLLING_INTERVAL_MS), () =>
      this.wakeDueQueues(),
    );
  }

  /** @param queues by the name of their jobs */
  async start(queues: ReadonlyMap<string, JobQueue>): Promise<void> {
    for (const [name, queue] of queues) {
      for (let count = 0; count < (queue.concurrency ?? 1); count++) await this.addWorker(name, queue);
    }
    this.polling.start();
  }

  /** Wakes no further workers. Running jobs go on until pg-boss is stopped. */
  stop(): Promise<void> {
    return this.polling.stop();
  }

  /** Lets the workers of this instance look for jobs called `name` at once. */
  wake(name: string): void {
    for (const worker of this.workers.get(name) ?? []) this.boss.notifyWorker(worker);
  }

  private async wakeDueQueues(): Promise<void> {
    for (const name of await dueQueues(this.boss, [...this.workers.keys()])) this.wake(name);
  }

  private async addWorker(name: string, { handler }: JobQueue): Promise<void> {
    const worker = await this.boss.work<unknown>(
      name,
      { batchSize: 1, pollingIntervalSeconds: WORKER_POLLING_SECONDS },
      async ([job]) => {
        if (!job) return;
        // More jobs may be waiting; otherwise each would wait for the next poll.
        this.wake(name);
        await runAsLongWork(() => handler(job.data, job.signal));
      },
    );
    this.workers.set(name, [...(this.workers.get(name) ?? []), worker]);
  }
}
