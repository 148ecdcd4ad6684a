import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { PgBoss } from 'pg-boss';
import { CONFIG, type Config } from '../config/config';
import type { Transaction } from '../database/transaction';
import { OutboundGate } from '../database/installation/outbound-gate';
import { withTraceParent } from '../tracing/tracer';
import { JobMetrics } from './job-metrics';
import { type Handler, type JobOptions, type JobQueue, JobWorkers } from './job-workers';
import { TaskIntervals } from './task-intervals';

/** Options of one job. */
interface EnqueueOptions {
  /** Delay of the first attempt. */
  afterSeconds?: number;
  /** The key of a job in an exclusive queue. */
  key?: string;
  /** Jobs of a higher priority run first; 0 by default, and it may be negative. */
  priority?: number;
}

interface Schedule {
  name: string;
  /** Five cron fields, UTC. */
  cron: string;
  expireInSeconds: number;
}

/** A failed job is retried after about 1, 2, 4 … seconds, at most half an hour apart, for about a day. */
const RETRIES = {
  retryLimit: 60,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 1800,
  expireInSeconds: 120,
  /**
   * A process that runs a job sends a heartbeat every 5 s; after 10 s without one its attempt counts as
   * failed.
   */
  heartbeatSeconds: 10,
};

const DAY_SECONDS = 86_400;

/** How long jobs are kept: after they have ended, to show what happened, and while they wait, which a long pause makes them. */
const AGES = { deleteAfterSeconds: 7 * DAY_SECONDS, retentionSeconds: 14 * DAY_SECONDS };

/**
 * Durable jobs in PostgreSQL (pg-boss). A job is written in the transaction of the change that requires it,
 * so it exists if and only if the change is committed. It runs at least once, on any instance.
 */
@Injectable()
export class Jobs implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Jobs.name);
  private readonly queues = new Map<string, JobQueue>();
  private readonly schedules: Schedule[] = [];
  private readonly workers: JobWorkers;
  private isStopped = false;

  constructor(
    private readonly boss: PgBoss,
    intervals: TaskIntervals,
    gate: OutboundGate,
    metrics: JobMetrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.boss.on('error', (error) => {
      // Its connections still close: a server that is stopped now ends them first, which means nothing.
      if (!this.isStopped) this.logger.error(error);
    });
    this.workers = new JobWorkers(this.boss, intervals, gate, metrics);
  }

  /**
   * Registers the handler of the jobs called `name`. Call it before the application has started.
   * @throws Error if there is a handler already
   */
  handle<Data>(name: string, handler: Handler<Data>, options: JobOptions = {}): void {
    if (this.queues.has(name)) throw new Error(`The jobs called ${name} have two handlers`);
    this.queues.set(name, { ...options, handler: handler as Handler<unknown> });
  }

  /** Registers a job that one instance runs at each time of `cron` (UTC). */
  schedule(
    name: string,
    cron: string,
    handler: (signal: AbortSignal) => Promise<void>,
    options: JobOptions = {},
  ): void {
    this.handle(name, (_data, signal) => handler(signal), options);
    const { expireInSeconds = RETRIES.expireInSeconds } = options;
    this.schedules.push({ name, cron, expireInSeconds });
  }

  /**
   * Writes a job as part of the transaction and wakes the workers of this instance after the commit.
   * A job of an exclusive queue is not written if one with its key is waiting or running.
   */
  async enqueue(
    tx: Transaction,
    name: string,
    data: object,
    { afterSeconds = 0, key, priority = 0 }: EnqueueOptions = {},
  ): Promise<void> {
    const executeSql = async (text: string, values?: unknown[]) => ({ rows: await tx.query(text, values) });
    const { expireInSeconds = RETRIES.expireInSeconds } = this.queues.get(name) ?? {};
    const options = {
      ...RETRIES,
      expireInSeconds,
      startAfter: afterSeconds,
      priority,
      ...(key && { singletonKey: key }),
    };
    await this.boss.send(name, withTraceParent(data), { ...options, db: { executeSql } });
    tx.afterCommit(async () => this.workers.wake(name));
  }

  /**
   * Cancels the jobs that have waited since before a moment, of all queues whose name begins with `prefix`. All that wait are read
   * into memory with their data.
   * @returns their number
   */
  async cancelWaiting(prefix: string, before: Date): Promise<number> {
    let total = 0;
    const queues = await this.boss.getQueues();
    for (const { name } of queues.filter((queue) => queue.name.startsWith(prefix))) {
      const jobs = await this.boss.findJobs(name, { queued: true });
      const ids = jobs.filter(({ createdOn }) => createdOn < before).map(({ id }) => id);
      if (ids.length > 0) await this.boss.cancel(name, ids);
      total += ids.length;
    }
    return total;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.boss.start();
    // Queues are created by every process, since one that only enqueues may start before the first worker.
    for (const [name, { isExclusive }] of this.queues) {
      await this.boss.createQueue(name, { policy: isExclusive ? 'exclusive' : 'standard', ...AGES });
    }
    if (!this.config.isWorker) return;
    await this.workers.start(this.queues);
    for (const { name, cron, expireInSeconds } of this.schedules) {
      await this.boss.schedule(name, cron, null, { expireInSeconds });
    }
  }

  /** Waits 5 s for running jobs. The rest are retried by another instance or after the next start. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.workers.stop(), this.boss.stop({ graceful: true, timeout: 5000 })]);
    this.isStopped = true;
  }
}
