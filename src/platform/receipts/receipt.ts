/** What was done with personal data. It has ids only, so that it may be kept for ever. */
export interface Receipt {
  receipt_id: string;
  kind: 'customer_erasure' | 'tenant_erasure' | 'customer_export';
  installation_id: string;
  tenant_id: string;
  /** The customer and all that had been merged into it; the tenant. */
  subject_ids: string[];
  /** The id of a user, or `operator` for a command. */
  requested_by: string;
  /** When the rows were erased or exported: ISO 8601, in UTC with milliseconds. */
  requested_at: string;
  /** Rows that were deleted, anonymised or exported, by table. */
  tables: Record<string, number>;
  /** Objects that were deleted from the storage; only in receipts of erasures. */
  storage_objects?: { count: number; bytes: number };
  /** When the last object had been deleted; only in receipts of erasures. */
  completed_at?: string;
}
