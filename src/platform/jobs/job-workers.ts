import { Logger } from '@nestjs/common';
import type { PgBoss } from 'pg-boss';
import { SpanKind } from '@opentelemetry/api';
import { runAsLongWork } from '../logging/request-context';
import type { OutboundGate } from '../database/installation/outbound-gate';
import { type SpanDescription, traced } from '../tracing/tracer';
import type { JobMetrics } from './job-metrics';
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
  /** Whether the jobs send something to other systems: they wait while OutboundGate is paused. */
  isOutbound?: boolean;
}

/** The jobs of one name. */
export interface JobQueue extends JobOptions {
  handler: Handler<unknown>;
}

/** How often a worker looks for jobs of other instances and for delayed retries. It is woken for those of its own instance. */
const POLLING_INTERVAL_MS = 2000;

/** The workers of this instance, which run jobs. */
export class JobWorkers {
  /** The ids of the workers, by the name of their jobs. */
  private readonly workers = new Map<string, string[]>();
  private readonly pollingIntervalSeconds: number;
  private readonly logger = new Logger(JobWorkers.name);
  private queues: ReadonlyMap<string, JobQueue> = new Map();
  /** The changes of the workers run one after the other. */
  private changes = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly boss: PgBoss,
    intervals: TaskIntervals,
    private readonly gate: OutboundGate,
    private readonly metrics: JobMetrics,
  ) {
    gate.onChange(() => void this.adjust().catch((error: unknown) => this.logger.error(error)));
    this.pollingIntervalSeconds = intervals.of(POLLING_INTERVAL_MS) / 1000;
  }

  /** @param queues by the name of their jobs */
  async start(queues: ReadonlyMap<string, JobQueue>): Promise<void> {
    this.queues = queues;
    for (const name of queues.keys()) this.metrics.declare(name);
    await this.adjust();
  }

  /** Wakes no further workers. Running jobs go on until pg-boss is stopped. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.changes;
  }

  /** Starts the workers that are missing, and stops those of outbound jobs while the gate is paused. */
  private adjust(): Promise<void> {
    const change = this.changes.then(async () => {
      for (const [name, queue] of this.queues) {
        if (this.isStopped) return;
        if (queue.isOutbound && this.gate.isPaused) await this.removeWorkers(name);
        else await this.addWorkers(name, queue);
      }
    });
    this.changes = change.catch(() => {});
    return change;
  }

  /** Lets the workers of this instance look for jobs called `name` at once. */
  wake(name: string): void {
    for (const worker of this.workers.get(name) ?? []) this.boss.notifyWorker(worker);
  }

  private async addWorkers(name: string, queue: JobQueue): Promise<void> {
    const missing = (queue.concurrency ?? 1) - (this.workers.get(name)?.length ?? 0);
    for (let count = 0; count < missing; count++) await this.addWorker(name, queue);
  }

  /** Jobs that are running go on; no further ones are taken. */
  private async removeWorkers(name: string): Promise<void> {
    if (this.workers.delete(name)) await this.boss.offWork(name, { wait: false });
  }

  private async addWorker(name: string, { handler }: JobQueue): Promise<void> {
    const worker = await this.boss.work<unknown>(
      name,
      { batchSize: 1, pollingIntervalSeconds: this.pollingIntervalSeconds },
      async ([job]) => {
        if (!job) return;
        // More jobs may be waiting; otherwise each would wait for the next poll.
        this.wake(name);
        await this.run(name, job.data, () => handler(job.data, job.signal));
      },
    );
    this.workers.set(name, [...(this.workers.get(name) ?? []), worker]);
  }

  /** @throws the error of the job, by which pg-boss repeats it */
  private async run(name: string, data: unknown, job: () => Promise<void>): Promise<void> {
    try {
      await traced(spanOf(name, data), () => runAsLongWork(job));
    } catch (error) {
      this.metrics.countFailure(name);
      throw error;
    }
  }
}

/** The job belongs to the span in which it was written, if there was one. */
const spanOf = (name: string, data: unknown): SpanDescription => ({
  name: `job ${name}`,
  kind: SpanKind.CONSUMER,
  attributes: { 'messaging.system': 'pg-boss', 'messaging.destination.name': name },
  carrier: data ?? {},
});
