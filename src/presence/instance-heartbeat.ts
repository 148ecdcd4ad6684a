import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config';
import { sessionSettings } from '../platform/database/session-settings';
import { Pool } from 'pg';
import type { Transaction } from '../platform/database/transaction';

const HEARTBEAT_MS = 3000;
/** An instance without a heartbeat for this long is presumed dead. With the check interval it is noticed within 15 s. */
const DEAD_AFTER = '10 seconds';

/**
 * This process's lease. Its connections count as long as its heartbeat continues, which every other instance checks.
 * All of them use the database's clock, so the clocks of hosts may differ.
 */
@Injectable()
export class InstanceHeartbeat implements OnModuleInit, OnModuleDestroy {
  readonly id = randomUUID();
  private readonly logger = new Logger(InstanceHeartbeat.name);
  private timer: NodeJS.Timeout | undefined;
  private leaseLost: () => void = () => {};

  /** A separate connection: the heartbeat must not wait for requests that hold the shared pool. */
  private readonly pool: Pool;

  constructor(@Inject(CONFIG) config: Config) {
    const { url, options } = sessionSettings(config.databaseUrl ?? '', config.databaseRole);
    this.pool = new Pool({
      connectionString: url,
      options,
      max: 1,
      connectionTimeoutMillis: 5000,
      // A dead connection must be noticed and replaced before the lease expires.
      query_timeout: 3000,
      keepAlive: true,
      application_name: 'video-call-queue heartbeat',
    });
    this.pool.on('error', (error) => this.logger.warn(`The heartbeat lost its connection: ${error.message}`));
  }

  /** `listener` is called when other instances have presumed this one dead and removed its connections. */
  onLeaseLost(listener: () => void): void {
    this.leaseLost = listener;
  }

  /** Runs before the first connection, because connections reference the lease. */
  async onModuleInit(): Promise<void> {
    await this.beat();
    this.timer = setInterval(() => {
      this.renew().catch((error: unknown) => this.logger.error(error, 'Heartbeat failed'));
    }, HEARTBEAT_MS);
  }

  /** Expires the lease, so that other instances need not wait for it. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    try {
      await this.pool.query(
        `UPDATE instances SET heartbeat_at = clock_timestamp() - $2::interval WHERE id = $1`,
        [this.id, DEAD_AFTER],
      );
    } catch (error) {
      // The lease expires by itself, so the shutdown continues.
      this.logger.warn(error, 'The lease could not be released');
    }
    await this.pool.end();
  }

  private async renew(): Promise<void> {
    if (!(await this.beat())) return;
    this.logger.warn('Other instances presumed this one dead; its connections are being registered again');
    this.leaseLost();
  }

  /** @returns whether the lease had been removed and was created again */
  private async beat(): Promise<boolean> {
    const { rows } = await this.pool.query<{ made: boolean }>(
      `INSERT INTO instances (id, heartbeat_at) VALUES ($1, clock_timestamp())
       ON CONFLICT ON CONSTRAINT instances_pkey DO UPDATE SET heartbeat_at = clock_timestamp()
       RETURNING xmax = 0 AS made`,
      [this.id],
    );
    return rows[0]?.made ?? false;
  }

  /**
   * Locks one dead instance until the transaction ends; the caller removes it.
   * @returns the instance with its last heartbeat, or undefined
   */
  async claimDead(tx: Transaction): Promise<{ id: string; last_seen: Date } | undefined> {
    return tx.one(
      `SELECT id, heartbeat_at AS last_seen FROM instances WHERE heartbeat_at < clock_timestamp() - $1::interval AND id <> $2
       ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [DEAD_AFTER, this.id],
    );
  }

  async remove(tx: Transaction, id: string): Promise<void> {
    await tx.query('DELETE FROM instances WHERE id = $1', [id]);
  }
}
