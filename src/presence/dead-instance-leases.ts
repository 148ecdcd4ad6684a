import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import { DEAD_AFTER, InstanceHeartbeat, markLock } from './instance-heartbeat';

export interface DeadInstance {
  id: string;
  /** Its last heartbeat. */
  last_seen: Date;
}

/**
 * The leases of instances that are presumed dead. One is marked first, then its connections are removed in several
 * transactions, then its row. An instance that was only slow clears the mark with its next heartbeat.
 */
@Injectable()
export class DeadInstanceLeases {
  constructor(private readonly instance: InstanceHeartbeat) {}

  /**
   * Marks every instance without a recent heartbeat, unless the database was away for all of them, or its clock was set.
   * @returns all marked ones, also those of earlier calls
   */
  async mark(tx: Transaction): Promise<DeadInstance[]> {
    if (this.instance.canJudgeOthers) await this.markSilent(tx);
    return tx.query<DeadInstance>(
      `SELECT id, heartbeat_at AS last_seen FROM instances WHERE dead_at IS NOT NULL AND id <> $1 ORDER BY id`,
      [this.instance.id],
    );
  }

  /** A clock that was set forward since the last heartbeat of this instance does not count: for it, all leases are over. */
  private async markSilent(tx: Transaction): Promise<void> {
    await tx.query(
      `UPDATE instances SET dead_at = clock_timestamp()
       WHERE id IN (SELECT id FROM instances
         WHERE heartbeat_at < LEAST(clock_timestamp(), to_timestamp($3::float8 / 1000)) - $1::interval
           AND dead_at IS NULL AND id <> $2
         ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`,
      [DEAD_AFTER, this.instance.id, this.instance.maxDatabaseMs],
    );
  }

  /**
   * Keeps the instance from clearing its mark until the transaction ends. Statements that follow see whether it is still
   * marked. A row lock would not do: its holders overlap, and the instance's heartbeat would wait for all of them.
   */
  async lockMark(tx: Transaction, id: string): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock_shared(${markLock('$1::text')})`, [id]);
  }

  /**
   * The transaction commits without waiting for the disk. After a crash of the database server the connections are still
   * recorded, so they are removed again.
   */
  async commitWithoutFlush(tx: Transaction): Promise<void> {
    await tx.query('SET LOCAL synchronous_commit = off');
  }

  /** Removes the instance if it is still marked and has no connections. @returns whether it was removed */
  async removeEmpty(tx: Transaction, id: string): Promise<boolean> {
    const removed = await tx.query(
      `DELETE FROM instances i WHERE id = $1 AND dead_at IS NOT NULL
         AND NOT EXISTS (SELECT FROM connections c WHERE c.instance_id = i.id) RETURNING id`,
      [id],
    );
    return removed.length > 0;
  }
}
