import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config';
import { createDedicatedPool } from '../platform/database/connections/dedicated-pool';
import type { Pool } from 'pg';
import { HeartbeatRecord } from './heartbeat-record';

const HEARTBEAT_MS = 3000;
/** An instance without a heartbeat for this long is presumed dead. With the check interval it is noticed within 15 s. */
export const DEAD_AFTER = '10 seconds';
const DEAD_AFTER_MS = 10_000;
/** A heartbeat and a second: every instance that is alive has sent one since this process started. */
const START_GRACE_MS = HEARTBEAT_MS + 1000;

/** Each takes up to 8 s: 5 s until there is a connection, and 3 s until the statement is answered. */
const MAX_FIRST_ATTEMPTS = 2;
const TIMEOUT = /^(timeout exceeded when trying to connect|Query read timeout)/;

/**
 * The key of the advisory lock of an instance's mark: shared while its connections are removed, exclusive to clear it.
 * Later removals wait behind the instance that clears it, so that overlapping ones cannot delay its heartbeat.
 * @param id the SQL of the instance's id
 */
export const markLock = (id: string): string => `hashtextextended('dead-instance:' || ${id}, 0)`;

/**
 * This process's lease. Its connections count as long as its heartbeat continues, which every other instance checks.
 * All of them use the database's clock, so the clocks of hosts may differ. When that clock is set, each instance notices it
 * with its next heartbeat, because its own monotonic clock goes on evenly.
 */
@Injectable()
export class InstanceHeartbeat implements OnModuleInit, OnModuleDestroy {
  readonly id: string;
  private readonly logger = new Logger(InstanceHeartbeat.name);
  private timer: NodeJS.Timeout | undefined;
  private leaseLost: () => void = () => {};
  private readonly record = new HeartbeatRecord(2.5 * HEARTBEAT_MS, DEAD_AFTER_MS, START_GRACE_MS);

  /**
   * A separate connection: the heartbeat must not wait for requests that hold the shared pool. One that breaks is
   * replaced before the lease expires.
   */
  private readonly pool: Pool;

  constructor(@Inject(CONFIG) config: Config) {
    this.id = config.instanceId ?? randomUUID();
    this.pool = createDedicatedPool(config, 'heartbeat');
  }

  /** `listener` is called when other instances have presumed this one dead and removed its connections. */
  onLeaseLost(listener: () => void): void {
    this.leaseLost = listener;
  }

  /** Whether a missing heartbeat of another instance means that it is dead, and not that the database or its time was away. */
  get canJudgeOthers(): boolean {
    return this.record.canJudgeOthers(performance.now());
  }

  /** The latest time that the database can show now unless its clock was set, in ms since 1970. */
  get maxDatabaseMs(): number {
    return this.record.maxDatabaseMs(performance.now());
  }

  /** Runs before the first connection, because connections reference the lease. */
  async onModuleInit(): Promise<void> {
    await this.firstBeat();
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

  /** A database that is busy for a moment delays the start and does not end it. */
  private async firstBeat(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.beat();
        return;
      } catch (error) {
        if (attempt === MAX_FIRST_ATTEMPTS || !TIMEOUT.test((error as Error).message)) throw error;
        this.logger.warn(error, 'The first heartbeat was not answered in time and is repeated');
      }
    }
  }

  private async renew(): Promise<void> {
    if (!(await this.beat())) return;
    this.logger.warn('Other instances presumed this one dead; its connections are being registered again');
    this.leaseLost();
  }

  /** @returns whether the lease had been removed or marked as dead, and holds again */
  private async beat(): Promise<boolean> {
    const sentMs = performance.now();
    const { wasLost, databaseMs } = await this.write();
    const step = this.record.record({ sentMs, acknowledgedMs: performance.now(), databaseMs });
    if (step) this.logger.warn(`The clock of the database was set ${step}; dead instances are noticed later`);
    if (step === 'back') await this.endFutureLeases();
    return wasLost;
  }

  private async write(): Promise<{ wasLost: boolean; databaseMs: number }> {
    const {
      rows: [written],
    } = await this.pool.query<{ made: boolean; at: Date }>(
      `INSERT INTO instances (id, heartbeat_at) VALUES ($1, clock_timestamp())
       ON CONFLICT ON CONSTRAINT instances_pkey DO UPDATE SET heartbeat_at = clock_timestamp()
         WHERE instances.dead_at IS NULL
       RETURNING xmax = 0 AS made, clock_timestamp() AS at`,
      [this.id],
    );
    if (written) return { wasLost: written.made, databaseMs: written.at.getTime() };
    // Others are removing its connections. Without the mark they stop.
    const { rows } = await this.pool.query<{ at: Date }>(
      `WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(${markLock('$1::text')})),
       renewed AS (
         UPDATE instances SET heartbeat_at = clock_timestamp(), dead_at = NULL FROM locked WHERE id = $1::text::uuid)
       SELECT clock_timestamp() AS at FROM locked`,
      [this.id],
    );
    return { wasLost: true, databaseMs: rows[0]?.at.getTime() ?? Number.NaN };
  }

  /** Without this, an instance that died before the clock was set back would count as alive until the clock is there again. */
  private async endFutureLeases(): Promise<void> {
    await this.pool.query(
      `UPDATE instances SET heartbeat_at = clock_timestamp()
       WHERE id IN (SELECT id FROM instances WHERE heartbeat_at > clock_timestamp()
         ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`,
    );
  }
}
