import type { Call } from '../../calls/call.entity';
import { departmentDeleted } from '../../calls/deleted-department';
import { ensureNotErased } from '../../calls/erased-call';
import type { Transaction } from '../../platform/database/transaction';
import { notFound, unprocessable } from '../../platform/http/errors/api-error';
import { MAX_OPEN_UPLOADS, tooManyUploads } from '../../plans/storage-admission';
import { lockRecordingDepartment } from '../recording-department';

/** An upload is visible only to its user, and only through its call. */
export interface UploadScope {
  tenant_id: string;
  call_id: string;
  user_id: string;
}

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
 * Checks what is checked when the recording is added. It locks the call: an erasure in progress deletes only the uploads that exist by
 * now.
 * @throws 404 for an unknown call, 422 if it was erased or the department that the recording was made in deleted
 */
export async function ensureCallTakesUploads(tx: Transaction, scope: UploadScope): Promise<void> {
  const departmentId = await lockRecordingDepartment(tx, scope);
  const call = await tx.one<Pick<Call, 'erased_at'>>(
    'SELECT erased_at FROM calls WHERE tenant_id = $1 AND id = $2 FOR SHARE',
    [scope.tenant_id, scope.call_id],
  );
  if (!call) throw notFound('Call');
  ensureNotErased(call);
  if (departmentId === undefined) throw departmentDeleted();
}
