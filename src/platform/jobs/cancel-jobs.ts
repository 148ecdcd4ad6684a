import type { Database } from '../database/database';

const BATCH_SIZE = 5000;

/**
 * Cancels the mails that have waited since before a moment. All jobs that send mails have names that begin with `mail-`.
 * @returns their number
 */
export async function cancelMailJobs(database: Database, before: Date): Promise<number> {
  let total = 0;
  let count: number;
  do {
    const cancelled = await database.system((tx) =>
      tx.query(
        `UPDATE pgboss.job SET state = 'cancelled', completed_on = now()
         WHERE id IN (SELECT id FROM pgboss.job
           WHERE starts_with(name, 'mail-') AND state < 'active' AND created_on < $1
           LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)
         RETURNING id`,
        [before],
      ),
    );
    count = cancelled.length;
    total += count;
  } while (count === BATCH_SIZE);
  return total;
}
