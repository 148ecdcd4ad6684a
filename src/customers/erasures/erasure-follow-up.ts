import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { Jobs } from '../../platform/jobs/jobs';
import { OutboundGate } from '../../platform/database/installation/outbound-gate';
import { ReceiptKeys } from './receipt-keys';
import { type ErasureEntry, ErasureJournal } from './erasure-journal';
import { receiptOf, type ReceiptSource } from './erasure-receipt';

/** Also the name of the schedule that tries again what failed for longer than a job is retried. */
export const ERASURES_QUEUE = 'journal-erasures';

type ErasureRow = Omit<ErasureEntry, 'erased_at'> & { erased_at: Date };

/**
 * What follows an erasure: its receipt is signed when its objects have been deleted from the storage, and it is written to
 * the journal of the storage. An entry is never written before the commit: one of an erasure that was rolled back would
 * later erase somebody.
 */
@Injectable()
export class ErasureFollowUp implements OnModuleInit {
  private lastRun: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly journal: ErasureJournal,
    private readonly keys: ReceiptKeys,
    private readonly clock: Clock,
    private readonly gate: OutboundGate,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule(ERASURES_QUEUE, '* * * * *', () => this.run());
  }

  /**
   * Runs one after the other: a second one would only find what the first one is about to do.
   * @throws StorageUnavailableError
   */
  run(): Promise<void> {
    const run = this.lastRun.then(() => this.followUp());
    this.lastRun = run.catch(() => {});
    return run;
  }

  /** A paused copy may share the storage with its original, which must not repeat what the copy erases. */
  private async followUp(): Promise<void> {
    if (this.gate.isPaused) return;
    try {
      await this.signReceipts();
    } finally {
      await this.journalAll();
    }
  }

  /** The erasure is then journalled again, with its receipt. */
  private async signReceipts(): Promise<void> {
    const due = await this.database.system((tx) =>
      tx.query<ReceiptSource>(
        `SELECT id, kind, tenant_id, subject_ids, erased_at, contents FROM erasures e
         WHERE receipt IS NULL AND contents IS NOT NULL AND NOT EXISTS
           (SELECT FROM stored_objects s WHERE s.discard_at IS NOT NULL AND s.erasure_id = e.id)
         ORDER BY erased_at`,
      ),
    );
    if (due.length === 0) return;
    const signer = await this.keys.signer();
    for (const erasure of due) {
      const receipt = signer.sign(receiptOf(erasure, this.clock.now()));
      await this.database.system((tx) =>
        tx.query('UPDATE erasures SET receipt = $2, journalled_at = NULL WHERE id = $1 AND receipt IS NULL', [
          erasure.id,
          receipt,
        ]),
      );
    }
  }

  private async journalAll(): Promise<void> {
    const pending = await this.database.system((tx) =>
      tx.query<{ id: string }>('SELECT id FROM erasures WHERE journalled_at IS NULL ORDER BY erased_at'),
    );
    const failures: unknown[] = [];
    for (const { id } of pending) {
      // One that cannot be written must not keep the others out of the journal.
      await this.journalOne(id).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** The lock keeps other instances from writing the same entry meanwhile, and the receipt from being signed. */
  private journalOne(id: string): Promise<void> {
    return this.database.system(async (tx) => {
      const erasure = await tx.one<ErasureRow>(
        `SELECT id, kind, tenant_id, subject_ids, receipt, erased_at FROM erasures
         WHERE id = $1 AND journalled_at IS NULL FOR NO KEY UPDATE SKIP LOCKED`,
        [id],
      );
      if (!erasure) return;
      await this.journal.append({ ...erasure, erased_at: erasure.erased_at.toISOString() });
      await tx.query('UPDATE erasures SET journalled_at = now() WHERE id = $1', [id]);
    });
  }
}
