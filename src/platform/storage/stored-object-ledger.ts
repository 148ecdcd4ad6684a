import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';

/** How long an object may be without a record before it counts as left behind. */
const LEASE_MINUTES = 15;

/**
 * Which objects there are, in the table `stored_objects`. An object is kept by a record, or leased until
 * `discard_at`, or due. What is due stays due: it is never kept or leased again, so it can be deleted without
 * a lock. Statements ask for the time at which they run; their transaction may have begun long before.
 */
@Injectable()
export class StoredObjectLedger {
  constructor(private readonly database: Database) {}

  /** Enters an object, leased; one that is known stays as it is. */
  async reserve(tenantId: string, key: string): Promise<void> {
    await this.database.tenant(tenantId, (tx) =>
      tx.query(
        `INSERT INTO stored_objects (key, tenant_id, discard_at)
         VALUES ($1, $2, clock_timestamp() + make_interval(mins => ${LEASE_MINUTES}))
         ON CONFLICT (key) DO NOTHING`,
        [key, tenantId],
      ),
    );
  }

  /** Begins the lease anew. @returns whether there was one */
  renew(tenantId: string, key: string): Promise<boolean> {
    return this.database.tenant(tenantId, async (tx) => {
      const renewed = await tx.query(
        `UPDATE stored_objects SET discard_at = clock_timestamp() + make_interval(mins => ${LEASE_MINUTES})
         WHERE key = $1 AND discard_at > clock_timestamp() RETURNING key`,
        [key],
      );
      return renewed.length > 0;
    });
  }

  /** Turns the lease into a record's, with the transaction. @returns whether there was one */
  async keep(tx: Transaction, key: string): Promise<boolean> {
    const kept = await tx.query(
      `UPDATE stored_objects SET discard_at = NULL
       WHERE key = $1 AND discard_at > clock_timestamp() RETURNING key`,
      [key],
    );
    return kept.length > 0;
  }

  /** Makes an object due that no record keeps. @returns whether it is; it waits for a transaction that keeps it */
  release(key: string): Promise<boolean> {
    return this.database.system(async (tx) => {
      const due = await tx.query(
        `UPDATE stored_objects SET discard_at = clock_timestamp()
         WHERE key = $1 AND discard_at IS NOT NULL RETURNING key`,
        [key],
      );
      return due.length > 0;
    });
  }

  /** What has been due the longest. It goes to the end of the line, lest what cannot be deleted hold up the rest. */
  takeDue(limit: number): Promise<string[]> {
    return this.database.system(async (tx) => {
      const due = await tx.query<{ key: string }>(
        `WITH due AS (
           SELECT key FROM stored_objects WHERE discard_at <= now()
           ORDER BY discard_at LIMIT $1 FOR UPDATE SKIP LOCKED
         )
         UPDATE stored_objects s SET discard_at = clock_timestamp() FROM due WHERE s.key = due.key
         RETURNING s.key`,
        [limit],
      );
      return due.map(({ key }) => key);
    });
  }

  /** For objects that were due and are deleted. */
  async forget(keys: string[]): Promise<void> {
    await this.database.system((tx) =>
      tx.query('DELETE FROM stored_objects WHERE key = ANY ($1) AND discard_at IS NOT NULL', [keys]),
    );
  }
}
