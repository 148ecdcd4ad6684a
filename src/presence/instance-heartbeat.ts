import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config';
import { sessionSettings } from '../platform/database/session-settings';
import { Pool } from 'pg';
import type { Transaction } from '../platform/database/transaction';

const HEARTBEAT_MS = 3000;
/** A silence this long means that the instance is dead. With the heartbeat's pause it stays under 15 s. */
const DEAD_AFTER = '10 seconds';

/**
 * This process's lease. The connections it holds count for as long as it beats; every instance looks
 * after the leases of the others. Both sides use the database's clock, so hosts may disagree on the time.
 */
@Injectable()
export class InstanceHeartbeat implements OnModuleInit, OnModuleDestroy {
  readonly id = randomUUID();
  private readonly logger = new Logger(InstanceHeartbeat.name);
  private timer: NodeJS.Timeout | undefined;
  private revived: () => void = () => {};

  /** A connection of its own: a lease must not wait behind requests that wait for each other. */
  private readonly pool: Pool;

  constructor(@Inject(CONFIG) config: Config) {
    const { url, options } = sessionSettings(config.databaseUrl ?? '', config.databaseRole);
    this.pool = new Pool({
      connectionString: url,
      options,
      max: 1,
      connectionTimeoutMillis: 5000,
      // A connection that went silent has to be noticed, and replaced, before the lease runs out.
      query_timeout: 3000,
      keepAlive: true,
      application_name: 'video-call-queue heartbeat',
    });
    this.pool.on('error', (error) => this.logger.warn(`The heartbeat lost its connection: ${error.message}`));
  }

  /** `listener` is called when others held this instance for dead and settled its connections. */
  onRevived(listener: () => void): void {
    this.revived = listener;
  }

  /** Before anybody can connect: connections refer to the lease. */
  async onModuleInit(): Promise<void> {
    await this.beat();
    this.timer = setInterval(() => {
      this.renew().catch((error: unknown) => this.logger.error(error, 'Heartbeat failed'));
    }, HEARTBEAT_MS);
  }

  /** Gives the lease up, so that another instance need not wait for it to run out. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    try {
      await this.pool.query(
        `UPDATE instances SET heartbeat_at = clock_timestamp() - $2::interval WHERE id = $1`,
        [this.id, DEAD_AFTER],
      );
    } catch (error) {
      // It runs out by itself; the rest of the stop must not fail over it.
      this.logger.warn(error, 'The lease could not be given up');
    }
    await this.pool.end();
  }

  private async renew(): Promise<void> {
    if (!(await this.beat())) return;
    this.logger.warn('This instance was held for dead; its connections are entered again');
    this.revived();
  }

  /** @returns whether the lease had to be made anew */
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
   * Claims one dead instance for this transaction, or none. The caller buries it.
   * @returns with its last sign of life
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
