import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { Jobs } from '../../platform/jobs/jobs';
import { ErasureJournal } from './erasure-journal';
import { ERASURES_QUEUE } from './erasure-follow-up';

/** A younger erasure may still be on its way to the journal. */
const MIN_AGE_MS = 60 * 60_000;

/** An erasure that a restored database would not repeat. */
export interface UnjournalledErasure {
  id: string;
  /** ISO 8601. */
  erased_at: string;
}

/** Compares the erasures of the database with the journal in the storage, which may have been set back or lost. */
@Injectable()
export class UnjournalledErasures {
  constructor(
    private readonly database: Database,
    private readonly journal: ErasureJournal,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /** The erasures without an entry, the oldest first. @throws StorageUnavailableError */
  async find(): Promise<UnjournalledErasure[]> {
    const journalled = await this.journal.ids();
    const [erasures] = await this.database.readSystem<[UnjournalledErasure]>([
      {
        text: 'SELECT id, erased_at FROM erasures WHERE erased_at < $1 ORDER BY erased_at, id',
        values: [new Date(this.clock.now().getTime() - MIN_AGE_MS)],
      },
    ]);
    return erasures.filter(({ id }) => !journalled.has(id));
  }

  /** Lets a running service write them to the journal. */
  async journalAgain(erasures: UnjournalledErasure[]): Promise<void> {
    await this.database.system(async (tx) => {
      await tx.query('UPDATE erasures SET journalled_at = NULL WHERE id = ANY ($1)', [
        erasures.map(({ id }) => id),
      ]);
      await this.jobs.enqueue(tx, ERASURES_QUEUE, {});
    });
  }
}
