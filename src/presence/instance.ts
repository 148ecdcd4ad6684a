import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';

const HEARTBEAT_MS = 3000;
/** A silence this long means that the instance is dead. With the heartbeat's pause it stays under 15 s. */
const DEAD_AFTER = '10 seconds';

/**
 * This process's lease. The connections it holds count for as long as it beats; every instance looks
 * after the leases of the others. Both sides use the database's clock, so hosts may disagree on the time.
 */
@Injectable()
export class Instance implements OnModuleInit, OnModuleDestroy {
  readonly id = randomUUID();
  private readonly logger = new Logger(Instance.name);
  private timer: NodeJS.Timeout | undefined;
  private revived: () => Promise<void> = async () => {};

  constructor(private readonly database: Database) {}

  /** `listener` is called when others held this instance for dead and settled its connections. */
  onRevived(listener: () => Promise<void>): void {
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
    await this.database.system((tx) =>
      tx.query(`UPDATE instances SET heartbeat_at = '-infinity' WHERE id = $1`, [this.id]),
    );
  }

  private async renew(): Promise<void> {
    if (!(await this.beat())) return;
    this.logger.warn('This instance was held for dead; its connections are entered again');
    await this.revived();
  }

  /** @returns whether the lease had to be made anew */
  private async beat(): Promise<boolean> {
    const beat = await this.database.system((tx) =>
      tx.one<{ made: boolean }>(
        `INSERT INTO instances (id, heartbeat_at) VALUES ($1, clock_timestamp())
         ON CONFLICT ON CONSTRAINT instances_pkey DO UPDATE SET heartbeat_at = clock_timestamp()
         RETURNING xmax = 0 AS made`,
        [this.id],
      ),
    );
    return beat?.made ?? false;
  }

  /** Claims one dead instance for this transaction, or none. The caller buries it. */
  async claimDead(tx: Transaction): Promise<string | undefined> {
    const dead = await tx.one<{ id: string }>(
      `SELECT id FROM instances WHERE heartbeat_at < clock_timestamp() - $1::interval AND id <> $2
       ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [DEAD_AFTER, this.id],
    );
    return dead?.id;
  }

  async bury(tx: Transaction, id: string): Promise<void> {
    await tx.query('DELETE FROM instances WHERE id = $1', [id]);
  }
}
