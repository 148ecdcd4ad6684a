import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';

/** Space that an upload reserves with the lease of its object, until a record keeps the object or the lease ends. */
export interface UploadReservation {
  user_id: string;
  bytes: number;
  /** Runs in the transaction that adds the reservation, before it. It throws if the upload may not begin. */
  ensureAllowed(tx: Transaction): Promise<void>;
}

/**
 * Leases that have not expired. now() is used because clock_timestamp() prevents the use of the index; a lease that
 * ended since the transaction began counts until its row has been updated.
 */
const IN_PROGRESS = 'tenant_id = $1 AND reserved_bytes IS NOT NULL AND discard_at > now()';

/** A query of the bytes that a tenant's uploads in progress reserve: $1 is the tenant's id. */
export const RESERVED_BYTES_SQL = `SELECT COALESCE(sum(reserved_bytes), 0) FROM stored_objects WHERE ${IN_PROGRESS}`;

/** A query of the number of a user's uploads in progress: $1 is the tenant's id, $2 the user's. */
export const OPEN_UPLOADS_SQL = `SELECT count(*)::int AS open_count FROM stored_objects
  WHERE ${IN_PROGRESS} AND uploaded_by = $2`;

/** Time after which an object without a record counts as abandoned. */
const LEASE_MINUTES = 15;

/** Ends a reservation. It is done with every lease that ends, so that the space is free at once. */
const END_RESERVATION = 'reserved_bytes = NULL, uploaded_by = NULL';

/**
 * The stored objects, as rows of `stored_objects`. An object is kept by a record, leased until `discard_at`,
 * or due for deletion. A due object is never kept or leased again, so it can be deleted without a lock.
 * Statements use clock_timestamp(), since their transaction may have begun long before.
 */
@Injectable()
export class StoredObjectLedger {
  constructor(private readonly database: Database) {}

  /**
   * Adds an object with a lease, and with the space reserved for it. An existing object is not changed.
   * @throws the error of the reservation if the upload may not begin
   */
  async reserve(tenantId: string, key: string, reservation?: UploadReservation): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      await reservation?.ensureAllowed(tx);
      await tx.query(
        `INSERT INTO stored_objects (key, tenant_id, discard_at, reserved_bytes, uploaded_by)
         VALUES ($1, $2, clock_timestamp() + make_interval(mins => ${LEASE_MINUTES}), $3, $4)
         ON CONFLICT (key) DO NOTHING`,
        [key, tenantId, reservation?.bytes ?? null, reservation?.user_id ?? null],
      );
    });
  }

  /** Ends the reservation of an upload that failed, and leaves its lease. */
  async endReservation(tenantId: string, key: string): Promise<void> {
    await this.database.tenant(tenantId, (tx) =>
      tx.query(`UPDATE stored_objects SET ${END_RESERVATION} WHERE key = $1`, [key]),
    );
  }

  /** Extends the lease. @returns false if it has expired */
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

  /** Keeps a leased object for a record that the transaction adds. @returns false if the lease has expired */
  async keep(tx: Transaction, key: string): Promise<boolean> {
    const kept = await tx.query(
      `UPDATE stored_objects SET discard_at = NULL, ${END_RESERVATION}
       WHERE key = $1 AND discard_at > clock_timestamp() RETURNING key`,
      [key],
    );
    return kept.length > 0;
  }

  /**
   * Makes an object due unless a record keeps it; waits for a transaction that is keeping it. @returns
   * whether it is due
   */
  release(key: string): Promise<boolean> {
    return this.database.system(async (tx) => {
      const due = await tx.query(
        `UPDATE stored_objects SET discard_at = clock_timestamp(), ${END_RESERVATION}
         WHERE key = $1 AND discard_at IS NOT NULL RETURNING key`,
        [key],
      );
      return due.length > 0;
    });
  }

  /**
   * Keys of the objects that have been due the longest. They move to the end of the queue, so that objects
   * which cannot be deleted do not block the others.
   */
  takeDue(limit: number): Promise<string[]> {
    return this.database.system(async (tx) => {
      const due = await tx.query<{ key: string }>(
        `WITH due AS (
           SELECT key FROM stored_objects WHERE discard_at <= now()
           ORDER BY discard_at LIMIT $1 FOR UPDATE SKIP LOCKED
         )
         UPDATE stored_objects s SET discard_at = clock_timestamp(), ${END_RESERVATION} FROM due WHERE s.key = due.key
         RETURNING s.key`,
        [limit],
      );
      return due.map(({ key }) => key);
    });
  }

  /** Removes due objects that have been deleted from the storage. */
  async forget(keys: string[]): Promise<void> {
    await this.database.system((tx) =>
      tx.query('DELETE FROM stored_objects WHERE key = ANY ($1) AND discard_at IS NOT NULL', [keys]),
    );
  }
}
