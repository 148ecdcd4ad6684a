import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { notFound } from '../../platform/http/errors/api-error';
import { countErasedObjects } from './erased-objects';
import type { ErasureEntry } from './erasure-journal';
import type { ErasureDto } from './erasure.dto';
import { type ErasureState, stateOf } from './erasure-records';

/** An erasure as the operator sees it. */
export interface RecordedErasure extends ErasureState {
  kind: ErasureEntry['kind'];
  tenant_id: string;
  subject_ids: string[];
  erased_at: Date;
  /** False for an erasure of an earlier release, and for one that was repeated after a restore without a receipt. */
  has_receipt: boolean;
  /** Objects that have not been deleted from the storage yet. */
  remaining_objects: number;
}

type Row = Omit<RecordedErasure, 'state' | 'remaining_objects'>;

/** Reads erasures and their receipts. */
@Injectable()
export class ErasureReader {
  constructor(private readonly database: Database) {}

  /** The erasure of a customer. @throws 404 */
  get(tenantId: string, id: string): Promise<ErasureDto> {
    return this.database.tenant(tenantId, async (tx) => {
      const found = await this.read(tx, id);
      const [customerId] = found?.subject_ids ?? [];
      if (found?.kind !== 'customer' || customerId === undefined) throw notFound('Erasure');
      const { erasure_id, erased_at, state, remaining_objects, receipt } = found;
      return {
        erasure_id,
        customer_id: customerId,
        erased_at: erased_at.toISOString(),
        state,
        remaining_objects,
        receipt,
      };
    });
  }

  /** An erasure of any tenant, also of one that no longer exists; undefined if there is none. */
  find(id: string): Promise<RecordedErasure | undefined> {
    return this.database.system((tx) => this.read(tx, id));
  }

  private async read(tx: Transaction, id: string): Promise<RecordedErasure | undefined> {
    const row = await tx.one<Row>(
      `SELECT id AS erasure_id, kind, tenant_id, subject_ids, erased_at, receipt,
         contents IS NOT NULL OR receipt IS NOT NULL AS has_receipt
       FROM erasures WHERE id = $1`,
      [id],
    );
    if (!row) return undefined;
    const { count } = await countErasedObjects(tx, id);
    return { ...row, state: stateOf(row.receipt), remaining_objects: count };
  }
}
