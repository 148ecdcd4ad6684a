import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import { DEAD_AFTER, InstanceHeartbeat } from './instance-heartbeat';

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

  /** Marks every instance without a recent heartbeat. @returns all marked ones, also those of earlier calls */
  async mark(tx: Transaction): Promise<DeadInstance[]> {
    await tx.query(
      `UPDATE instances SET dead_at = clock_timestamp()
       WHERE id IN (SELECT id FROM instances
         WHERE heartbeat_at < clock_timestamp() - $1::interval AND dead_at IS NULL AND id <> $2
         ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`,
      [DEAD_AFTER, this.instance.id],
    );
    return tx.query<DeadInstance>(
      `SELECT id, heartbeat_at AS last_seen FROM instances WHERE dead_at IS NOT NULL AND id <> $1 ORDER BY id`,
      [this.instance.id],
    );
  }

  /**
   * Locks the instance until the transaction ends, so that it cannot clear its mark meanwhile.
   * @returns false if it is no longer marked
   */
  async lockMarked(tx: Transaction, id: string): Promise<boolean> {
    const found = await tx.query('SELECT FROM instances WHERE id = $1 AND dead_at IS NOT NULL FOR SHARE', [
      id,
    ]);
    return found.length > 0;
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
