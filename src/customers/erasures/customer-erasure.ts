import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction';
import { CustomersService } from '../customers.service';
import { PersonalDataRegistry } from '../personal-data-registry';

export interface ErasedCustomer {
  /** The customer and all that had been merged into it. */
  subject_ids: string[];
  /** Records affected in each context, by its name. */
  erased: Record<string, number>;
  /** The same, and the rows of further tables that were deleted with them. */
  tables: Record<string, number>;
}

/** Erases a customer with all personal data. Calls keep their statistics. */
@Injectable()
export class CustomerErasure {
  constructor(
    private readonly customers: CustomersService,
    private readonly registry: PersonalDataRegistry,
  ) {}

  /** @throws 404, or 422 while the customer has a call that has not ended */
  async erase(tx: Transaction, tenantId: string, id: string): Promise<ErasedCustomer> {
    const before = await deletedRows(tx);
    const subject_ids = [id];
    const erased: Record<string, number> = { customers: 1 };
    await this.customers.remove(tx, tenantId, id, async () => {
      const merged = await tx.query<{ merged_id: string }>(
        'SELECT merged_id FROM customer_merges WHERE tenant_id = $1 AND customer_id = $2',
        [tenantId, id],
      );
      subject_ids.push(...merged.map(({ merged_id }) => merged_id));
      Object.assign(erased, await this.registry.erase(tx, tenantId, id));
    });
    return { subject_ids, erased, tables: { ...(await deletedRows(tx, before)), ...erased } };
  }
}

/**
 * The rows that the transaction has deleted since `before`, by table, including those that were deleted with the row that
 * they belong to. PostgreSQL counts them for its statistics.
 * @param before an earlier result, since the counts of a session can go back to an earlier transaction
 */
async function deletedRows(
  tx: Transaction,
  before: Record<string, number> = {},
): Promise<Record<string, number>> {
  const counted = await tx.query<{ name: string; rows: number }>(
    `SELECT relname AS name, n_tup_del::float8 AS rows FROM pg_stat_xact_user_tables
     WHERE schemaname = 'public' AND n_tup_del > 0 ORDER BY relname`,
  );
  const deleted = counted.map(({ name, rows }) => [name, rows - (before[name] ?? 0)] as const);
  return Object.fromEntries(deleted.filter(([, rows]) => rows > 0));
}
