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
