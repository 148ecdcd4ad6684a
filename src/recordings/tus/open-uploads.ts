import type { Transaction } from '../../platform/database/transaction';
import { unprocessable } from '../../platform/http/errors/api-error';

/** Uploads that a user may have under way: each may become as large as a recording may be. */
const MOST_OPEN = 20;

/**
 * Makes others who open one for the same user wait for the end of the transaction.
 * @throws 422 too_many_uploads
 */
export async function ensureMayOpen(
  tx: Transaction,
  { tenant_id, user_id }: { tenant_id: string; user_id: string },
  now: Date,
): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`recording uploads ${user_id}`]);
  const open = await tx.query(
    `SELECT FROM recording_uploads
     WHERE tenant_id = $1 AND user_id = $2 AND finished_at IS NULL AND expires_at > $3 LIMIT ${MOST_OPEN}`,
    [tenant_id, user_id, now],
  );
  if (open.length < MOST_OPEN) return;
  throw unprocessable(
    'too_many_uploads',
    `You have ${MOST_OPEN} uploads under way: finish one of them, or give it up, before you begin another.`,
  );
}
