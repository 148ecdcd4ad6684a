import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { PgBoss } from 'pg-boss';
import { CONFIG, type Config } from '../config/config';
import { sessionSettings } from '../database/connections/session-settings';
import { KEEP_ALIVE } from '../database/connections/time-limits';
import type { Transaction } from '../database/transaction';
import { runAsLongWork } from '../logging/request-context';
import { dueQueues } from './due-queues';
import { RecurringTask } from './recurring-task';
import { TaskIntervals } from './task-intervals';

/**
 * Runs one job. The signal is aborted when this attempt no longer counts: it timed out, the process stops,
 * or another instance has taken over the job.
 */
type Handler<Data> = (data: Data, signal: AbortSignal) => Promise<void>;

/** Options of the jobs of one name. */
export interface JobOptions {
  /** Jobs that one instance runs at a time; 1 by default. */
  concurrency?: number;
  /** Seconds after which an attempt counts as failed; 120 by default. */
  expireInSeconds?: number;
  /** Whether a job is not written while another one with the same key waits or runs. */
  isExclusive?: boolean;
}

/** Options of one job. */
interface EnqueueOptions {
  /** Delay of the first attempt. */
  afterSeconds?: number;
  /** The key of a job in an exclusive queue. */
  key?: string;
  /** Jobs of a higher priority run first; 0 by default, and it may be negative. */
  priority?: number;
}

interface Queue extends JobOptions {
  handler: Handler<unknown>;
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

/** How often an instance looks for jobs of other instances and for delayed retries, in all queues with one query. */
const POLLING_INTERVAL_MS = 2000;
/** How often each worker looks by itself, although it is woken for every job. */
const WORKER_POLLING_SECONDS = 60;

/** pg-boss passes these to pg: a silent network partition must not hold the connections of the workers. */
const PARTITION_LIMITS = { ...KEEP_ALIVE, query_timeout: 60_000, connectionTimeoutMillis: 5000 };

/** Seconds between two checks for attempts that timed out or have no heartbeat. */
const SUPERVISION = { superviseIntervalSeconds: 10, monitorIntervalSeconds: 10 };

/**
 * Durable jobs in PostgreSQL (pg-boss). A job is written in the transaction of the change that requires it,
 * so it exists if and only if the change is committed. It runs at least once, on any instance.
 */
@Injectable()
export class Jobs implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Jobs.name);
  private readonly boss: PgBoss;
  private readonly queues = new Map<string, Queue>();
  private readonly schedules: Schedule[] = [];
  private readonly workers = new Map<string, string[]>();
  private readonly polling: RecurringTask;

  constructor(
    intervals: TaskIntervals,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const { url, options } = sessionSettings(config.databaseUrl ?? '', config.databaseRole);
    this.boss = new PgBoss({
      connectionString: url,
      application_name: 'video-call-queue jobs',
      options,
      max: 2,
      ...PARTITION_LIMITS,
      migrate: false,
      createSchema: false,
      reindex: false,
      ...SUPERVISION,
      supervise: config.isWorker,
      schedule: config.isWorker,
    });
    this.boss.on('error', (error) => this.logger.error(error));
    this.polling = new RecurringTask(Jobs.name, intervals.of(POLLING_INTERVAL_MS), () =>
      this.wakeDueQueues(),
    );
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
    await this.boss.send(name, data, { ...options, db: { executeSql } });
    tx.afterCommit(async () => this.wake(name));
  }

  private wake(name: string): void {
    for (const worker of this.workers.get(name) ?? []) this.boss.notifyWorker(worker);
  }

  private async wakeDueQueues(): Promise<void> {
    for (const name of await dueQueues(this.boss, [...this.workers.keys()])) this.wake(name);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.boss.start();
    // Queues are created by every process, since one that only enqueues may start before the first worker.
    for (const [name, { isExclusive }] of this.queues) {
      await this.boss.createQueue(name, { policy: isExclusive ? 'exclusive' : 'standard' });
    }
    if (this.config.isWorker) await this.work();
  }

  private async work(): Promise<void> {
    for (const [name, queue] of this.queues) {
      for (let count = 0; count < (queue.concurrency ?? 1); count++) await this.addWorker(name, queue);
    }
    for (const { name, cron, expireInSeconds } of this.schedules) {
      await this.boss.schedule(name, cron, null, { expireInSeconds });
    }
    this.polling.start();
  }

  private async addWorker(name: string, { handler }: Queue): Promise<void> {
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

  /** Waits 5 s for running jobs. The rest are retried by another instance or after the next start. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.polling.stop(), this.boss.stop({ graceful: true, timeout: 5000 })]);
  }
}
