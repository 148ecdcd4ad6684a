import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { Jobs } from '../platform/jobs/jobs';
import { OutboundGate } from '../platform/outbound/outbound-gate';
import { type ErasureEntry, ErasureJournal } from '../platform/storage/erasure-journal';

/** Also the name of the schedule that tries again what failed for longer than a job is retried. */
const QUEUE = 'journal-erasures';

type NewErasure = Pick<ErasureEntry, 'kind' | 'tenant_id' | 'subject_ids'>;
type ErasureRow = NewErasure & { id: string; erased_at: Date; receipt: string | null };

/**
 * Records erasures in the database, with the erasure, and then in the journal of the storage. An entry is never written
 * before the commit: one of an erasure that was rolled back would later erase somebody.
 */
@Injectable()
export class ErasureRecords implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly journal: ErasureJournal,
    private readonly clock: Clock,
    private readonly gate: OutboundGate,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule(QUEUE, '* * * * *', () => this.journalAll());
  }

  /** Records an erasure as part of its transaction. */
  async record(tx: Transaction, { kind, tenant_id, subject_ids }: NewErasure): Promise<void> {
    await tx.query('INSERT INTO erasures (tenant_id, kind, subject_ids, erased_at) VALUES ($1, $2, $3, $4)', [
      tenant_id,
      kind,
      subject_ids,
      this.clock.now(),
    ]);
    await this.jobs.enqueue(tx, QUEUE, {});
  }

  /** Records an erasure of the journal again in a restored database, which may not know of it. */
  async restore(
    tx: Transaction,
    { id, kind, tenant_id, subject_ids, erased_at, receipt }: ErasureEntry,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO erasures (id, tenant_id, kind, subject_ids, receipt, erased_at, journalled_at)
       VALUES ($1, $2, $3, $4, $5, $6, now()) ON CONFLICT (id) DO NOTHING`,
      [id, tenant_id, kind, subject_ids, receipt, erased_at],
    );
  }

  /**
   * Writes what is not in the journal yet. A paused copy may share the storage with its original, which must not repeat
   * what the copy erases. @throws StorageUnavailableError
   */
  private async journalAll(): Promise<void> {
    if (this.gate.isPaused) return;
    const pending = await this.database.system((tx) =>
      tx.query<ErasureRow>(
        `SELECT id, kind, tenant_id, subject_ids, receipt, erased_at FROM erasures
         WHERE journalled_at IS NULL ORDER BY erased_at`,
      ),
    );
    for (const { erased_at, ...erasure } of pending) {
      await this.journal.append({ ...erasure, erased_at: erased_at.toISOString() });
      await this.database.system((tx) =>
        tx.query('UPDATE erasures SET journalled_at = now() WHERE id = $1', [erasure.id]),
      );
    }
  }
}
