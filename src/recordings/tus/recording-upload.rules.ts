import type { Call } from '../../calls/call.entity';
import { ensureDepartmentExists } from '../../calls/deleted-department';
import { ensureNotErased } from '../../calls/erased-call';
import type { Transaction } from '../../platform/database/transaction';
import { notFound, unprocessable } from '../../platform/http/errors/api-error';
import { MAX_OPEN_UPLOADS, tooManyUploads } from '../../platform/http/uploads/upload-admission';

/** @param length bytes; null if not known yet  @throws 422 if it is 0 */
export function ensureNotEmpty(length: number | null): void {
  if (length === 0) throw unprocessable('validation_failed', 'A recording must not be empty.');
}

/**
 * Checks the number of the user's unfinished resumable uploads. It locks that number until the end of the transaction.
 * @throws 422 too_many_uploads
 */
export async function ensureWithinOpenLimit(
  tx: Transaction,
  { tenant_id, user_id }: { tenant_id: string; user_id: string },
  now: Date,
): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`recording uploads ${user_id}`]);
  const open = await tx.query(
    `SELECT FROM recording_uploads
     WHERE tenant_id = $1 AND user_id = $2 AND finished_at IS NULL AND expires_at > $3 LIMIT ${MAX_OPEN_UPLOADS}`,
    [tenant_id, user_id, now],
  );
  if (open.length >= MAX_OPEN_UPLOADS) throw tooManyUploads();
}

/**
 * Locks the call: an erasure in progress deletes only the uploads that exist by now.
 * @throws 404 for an unknown call, 422 if it was erased or its department deleted
 */
export async function ensureCallTakesUploads(
  tx: Transaction,
  { tenant_id, call_id }: { tenant_id: string; call_id: string },
): Promise<void> {
  const call = await tx.one<Pick<Call, 'tenant_id' | 'department_id' | 'erased_at'>>(
    'SELECT tenant_id, department_id, erased_at FROM calls WHERE tenant_id = $1 AND id = $2 FOR SHARE',
    [tenant_id, call_id],
  );
  if (!call) throw notFound('Call');
  ensureNotErased(call);
  await ensureDepartmentExists(tx, call);
}
