import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { PgBoss } from 'pg-boss';
import { CONFIG, type Config } from '../config/config';
import { sessionSettings } from '../database/session-settings';
import type { Transaction } from '../database/transaction';
import { TaskIntervals } from './task-intervals';

/**
 * Does one job. The signal is aborted once it no longer counts what this try does: it took too long, the process
 * stops, or another instance has the job now.
 */
type Handler<Data> = (data: Data, signal: AbortSignal) => Promise<void>;

/** How the jobs of one name are done. */
export interface JobOptions {
  /** How many of them one instance does at a time; 1. */
  concurrency?: number;
  /** Seconds after which a try counts as failed; 120. */
  expireInSeconds?: number;
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

/** A failed try is repeated after about 1, 2, 4 … seconds, half an hour at the most, for a day in all. */
const RETRIES = {
  retryLimit: 60,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 1800,
  expireInSeconds: 120,
  /** A process that does a job shows every 5 s that it lives; after 10 s of silence its try counts as failed. */
  heartbeatSeconds: 10,
};

/** How often workers look for jobs of other instances and for delayed retries. */
const POLLING_INTERVAL_MS = 2000;
/** The shortest interval that pg-boss accepts. */
const MIN_POLLING_MS = 500;

/** Seconds between two looks for tries that count as failed. */
const SUPERVISION = { superviseIntervalSeconds: 10, monitorIntervalSeconds: 10 };

/**
 * Durable jobs in PostgreSQL (pg-boss). A job is written in the transaction of the change that asks for
 * it, so it exists exactly if the change does, and runs at least once on some instance.
 */
@Injectable()
export class Jobs implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Jobs.name);
  private readonly boss: PgBoss;
  private readonly queues = new Map<string, Queue>();
  private readonly schedules: Schedule[] = [];
  private readonly workers = new Map<string, string[]>();

  constructor(
    private readonly intervals: TaskIntervals,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const { url, options } = sessionSettings(config.databaseUrl ?? '', config.databaseRole);
    this.boss = new PgBoss({
      connectionString: url,
      application_name: 'video-call-queue jobs',
      options,
      max: 2,
      migrate: false,
      createSchema: false,
      reindex: false,
      ...SUPERVISION,
      supervise: config.isWorker,
      schedule: config.isWorker,
    });
    this.boss.on('error', (error) => this.logger.error(error));
  }

  /** Declares who does the jobs called `name`. Call before the application has started. */
  handle<Data>(name: string, handler: Handler<Data>, options: JobOptions = {}): void {
    if (this.queues.has(name)) throw new Error(`Two handlers for the jobs called ${name}`);
    this.queues.set(name, { ...options, handler: handler as Handler<unknown> });
  }

  /** Declares a job that one instance does at each time of `cron` (UTC). */
  schedule(name: string, cron: string, handler: () => Promise<void>, options: JobOptions = {}): void {
    this.handle(name, handler, options);
    const { expireInSeconds = RETRIES.expireInSeconds } = options;
    this.schedules.push({ name, cron, expireInSeconds });
  }

  /**
   * Writes a job as part of the transaction and wakes this instance's workers once it has committed.
   * @param afterSeconds how long it waits first
   */
  async enqueue(tx: Transaction, name: string, data: object, afterSeconds = 0): Promise<void> {
    const executeSql = async (text: string, values?: unknown[]) => ({ rows: await tx.query(text, values) });
    const { expireInSeconds = RETRIES.expireInSeconds } = this.queues.get(name) ?? {};
    const options = { ...RETRIES, expireInSeconds, startAfter: afterSeconds };
    await this.boss.send(name, data, { ...options, db: { executeSql } });
    tx.afterCommit(async () => this.wake(name));
  }

  private wake(name: string): void {
    for (const worker of this.workers.get(name) ?? []) this.boss.notifyWorker(worker);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.boss.start();
    // Whoever only enqueues may be there before the first service that does the jobs.
    for (const name of this.queues.keys()) await this.boss.createQueue(name);
    if (this.config.isWorker) await this.work();
  }

  private async work(): Promise<void> {
    for (const [name, queue] of this.queues) {
      for (let count = 0; count < (queue.concurrency ?? 1); count++) await this.addWorker(name, queue);
    }
    for (const { name, cron, expireInSeconds } of this.schedules) {
      await this.boss.schedule(name, cron, null, { expireInSeconds });
    }
  }

  private async addWorker(name: string, { handler }: Queue): Promise<void> {
    const pollingIntervalSeconds = Math.max(MIN_POLLING_MS, this.intervals.of(POLLING_INTERVAL_MS)) / 1000;
    const worker = await this.boss.work<unknown>(
      name,
      { batchSize: 1, pollingIntervalSeconds },
      async ([job]) => {
        if (!job) return;
        // Others may be waiting: without this, each would wait for the next poll.
        this.wake(name);
        await handler(job.data, job.signal);
      },
    );
    this.workers.set(name, [...(this.workers.get(name) ?? []), worker]);
  }

  /** Lets running jobs finish; whatever does not is another instance's, or the next start's. */
  async onApplicationShutdown(): Promise<void> {
    await this.boss.stop({ graceful: true, timeout: 5000 });
  }
}
