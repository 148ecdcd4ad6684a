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

type Handler<Data> = (data: Data) => Promise<void>;

interface Schedule {
  name: string;
  /** Five cron fields, UTC. */
  cron: string;
}

/** A failed try is repeated after about 1, 2, 4 … seconds, half an hour at the most, for a day in all. */
const RETRIES = {
  retryLimit: 60,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 1800,
  /** Seconds after which a job counts as failed whose process died over it. */
  expireInSeconds: 120,
};

/**
 * Durable jobs in PostgreSQL (pg-boss). A job is written in the transaction of the change that asks for
 * it, so it exists exactly if the change does, and runs at least once on some instance.
 */
@Injectable()
export class Jobs implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Jobs.name);
  private readonly boss: PgBoss;
  private readonly handlers = new Map<string, Handler<unknown>>();
  private readonly schedules: Schedule[] = [];
  private readonly workers = new Map<string, string>();

  constructor(@Inject(CONFIG) private readonly config: Config) {
    const { url, options } = sessionSettings(config.databaseUrl ?? '', config.databaseRole);
    this.boss = new PgBoss({
      connectionString: url,
      application_name: 'video-call-queue jobs',
      options,
      max: 2,
      migrate: false,
      createSchema: false,
      reindex: false,
      supervise: config.doesJobs,
      schedule: config.doesJobs,
    });
    this.boss.on('error', (error) => this.logger.error(error));
  }

  /** Declares who does the jobs called `name`. Call before the application has started. */
  handle<Data>(name: string, handler: Handler<Data>): void {
    if (this.handlers.has(name)) throw new Error(`Two handlers for the jobs called ${name}`);
    this.handlers.set(name, handler as Handler<unknown>);
  }

  /** Declares a job that one instance does at each time of `cron` (UTC). */
  schedule(name: string, cron: string, handler: () => Promise<void>): void {
    this.handle(name, handler);
    this.schedules.push({ name, cron });
  }

  /** Writes a job as part of the transaction and wakes this instance's worker once it has committed. */
  async enqueue(tx: Transaction, name: string, data: object): Promise<void> {
    const executeSql = async (text: string, values?: unknown[]) => ({ rows: await tx.query(text, values) });
    await this.boss.send(name, data, { ...RETRIES, db: { executeSql } });
    tx.afterCommit(async () => this.wake(name));
  }

  private wake(name: string): void {
    const worker = this.workers.get(name);
    if (worker) this.boss.notifyWorker(worker);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.boss.start();
    // Whoever only enqueues may be there before the first service that does the jobs.
    for (const name of this.handlers.keys()) await this.boss.createQueue(name);
    if (this.config.doesJobs) await this.work();
  }

  private async work(): Promise<void> {
    for (const [name, handler] of this.handlers) {
      const worker = await this.boss.work(name, { batchSize: 1 }, async ([job]) => {
        // Others may be waiting: without this, each would wait for the next poll.
        this.wake(name);
        await handler(job?.data);
      });
      this.workers.set(name, worker);
    }
    for (const { name, cron } of this.schedules) await this.boss.schedule(name, cron);
  }

  /** Lets running jobs finish; whatever does not is another instance's, or the next start's. */
  async onApplicationShutdown(): Promise<void> {
    await this.boss.stop({ graceful: true, timeout: 5000 });
  }
}
