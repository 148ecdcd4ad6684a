import type { Receipt } from './receipt-jws';
import type { ObjectTotals } from './erased-objects';
import type { ErasureEntry } from './erasure-journal';

/** What the receipt of an erasure says, as it is stored with the erasure. */
export interface ErasureContents {
  /** The id of a user, or `operator`. */
  requested_by: string;
  tables: Record<string, number>;
  /** What has to be deleted from the storage. */
  storage_objects: ObjectTotals;
}

/** An erasure whose receipt can be signed. */
export interface ReceiptSource extends Pick<ErasureEntry, 'id' | 'kind' | 'tenant_id' | 'subject_ids'> {
  erased_at: Date;
  contents: ErasureContents;
}

/** @param completedAt when the last object had been deleted from the storage */
export function receiptOf(
  { id, kind, tenant_id, subject_ids, erased_at, contents }: ReceiptSource,
  completedAt: Date,
): Omit<Receipt, 'installation_id'> {
  return {
    receipt_id: id,
    kind: `${kind}_erasure`,
    tenant_id,
    subject_ids,
    requested_by: contents.requested_by,
    requested_at: erased_at.toISOString(),
    tables: contents.tables,
    storage_objects: contents.storage_objects,
    completed_at: completedAt.toISOString(),
  };
}
