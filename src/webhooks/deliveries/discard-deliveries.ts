import type { Database } from '../../platform/database/database';

const BATCH_SIZE = 5000;
const DISCARDED = 'discarded by the operator when the installation was resumed';

/**
 * Fails the deliveries that have been pending since before a moment, and those that are still to be made of events since before
 * it. They can still be sent one by one or be replayed.
 * @returns their number
 */
export async function discardDeliveries(database: Database, before: Date): Promise<number> {
  // The first of both, because deliveries are made of events, and not the other way round.
  let total = await discardEvents(database, before);
  let count: number;
  do {
    const discarded = await database.system((tx) =>
      tx.query(
        `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, claimed_until = NULL, error = $2
         WHERE id IN (SELECT id FROM webhook_deliveries
           WHERE status = 'pending' AND inserted_at < $1 LIMIT ${BATCH_SIZE} FOR NO KEY UPDATE SKIP LOCKED)
         RETURNING id`,
        [before, DISCARDED],
      ),
    );
    count = discarded.length;
    total += count;
  } while (count === BATCH_SIZE);
  return total;
}

/** Waits for events whose deliveries are being made: these are found afterwards. @returns the number of their deliveries */
async function discardEvents(database: Database, before: Date): Promise<number> {
  const events = await database.system((tx) =>
    tx.query<{ count: number }>(
      `UPDATE webhook_events SET error = $2 WHERE inserted_at < $1 AND error IS NULL
       RETURNING cardinality(webhook_ids) AS count`,
      [before, DISCARDED],
    ),
  );
  return events.reduce((sum, { count }) => sum + count, 0);
}
