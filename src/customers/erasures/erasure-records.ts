import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import { Jobs } from '../../platform/jobs/jobs';
import type { ReceiptSigner } from './receipt-keys';
import { claimErasedObjects, countErasedObjects } from './erased-objects';
import type { ErasureEntry } from './erasure-journal';
import { receiptOf } from './erasure-receipt';
import { ERASURES_QUEUE } from './erasure-follow-up';

interface ErasureRequest {
  kind: ErasureEntry['kind'];
  tenant_id: string;
  /** The id of a user, or `operator`. */
  requested_by: string;
}

interface ErasedData {
  subject_ids: string[];
  /** Rows that were deleted or anonymised, by table. */
  tables: Record<string, number>;
}

/** The receipt of an erasure. */
export interface ErasureState {
  erasure_id: string;
  /** Complete when all objects have been deleted from the storage and the receipt has been signed. */
  state: 'pending' | 'complete';
  /** A JWS in compact serialisation; null while the state is pending. */
  receipt: string | null;
}

/** Records erasures in the database, as part of their transaction. */
@Injectable()
export class ErasureRecords {
  constructor(
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /**
   * Erases and records it, with a receipt if there is nothing to delete from the storage. Otherwise the receipt is signed
   * when that has been done.
   * @param signer from before the transaction
   */
  async record<Result extends ErasedData>(
    tx: Transaction,
    signer: ReceiptSigner,
    { kind, tenant_id, requested_by }: ErasureRequest,
    erase: () => Promise<Result>,
  ): Promise<ErasureState & { erased_at: Date; result: Result }> {
    const id = randomUUID();
    await claimErasedObjects(tx, id);
    const result = await erase();
    const { subject_ids, tables } = result;
    const storage_objects = await countErasedObjects(tx, id);
    const contents = { requested_by, tables, storage_objects };
    const erased_at = this.clock.now();
    const source = { id, kind, tenant_id, subject_ids, erased_at, contents };
    const receipt = storage_objects.count === 0 ? signer.sign(receiptOf(source, erased_at)) : null;
    await tx.query(
      `INSERT INTO erasures (id, tenant_id, kind, subject_ids, erased_at, contents, receipt)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, tenant_id, kind, subject_ids, erased_at, JSON.stringify(contents), receipt],
    );
    await this.jobs.enqueue(tx, ERASURES_QUEUE, {});
    return { erasure_id: id, state: stateOf(receipt), receipt, erased_at, result };
  }

  /** Records an erasure of the journal again in a restored database, which may not know of it. */
  async restore(
    tx: Transaction,
    { id, kind, tenant_id, subject_ids, erased_at, receipt }: ErasureEntry,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO erasures (id, tenant_id, kind, subject_ids, receipt, erased_at, journalled_at)
       VALUES ($1, $2, $3, $4, $5, $6, now())
       ON CONFLICT (id) DO UPDATE SET receipt = COALESCE(erasures.receipt, EXCLUDED.receipt)`,
      [id, tenant_id, kind, subject_ids, receipt, erased_at],
    );
  }
}

export const stateOf = (receipt: string | null): ErasureState['state'] =>
  receipt === null ? 'pending' : 'complete';
