import type { Transaction } from '../../platform/database/transaction';
import type { ErasureEntry } from '../../customers/erasures/erasure-journal';

/** A legal hold that prevents an erasure. */
export interface StandingHold {
  tenant: string;
  /** Null for a hold of the whole tenant. */
  customer_id: string | null;
}

/** The holds that prevent the deletion of a tenant: its own and those of its customers. */
export function holdsOnTenant(tx: Transaction, tenantId: string): Promise<StandingHold[]> {
  return tx.query<StandingHold>(
    `SELECT t.slug AS tenant, h.customer_id FROM legal_holds h JOIN tenants t ON t.id = h.tenant_id
     WHERE h.tenant_id = $1 ORDER BY h.customer_id NULLS FIRST`,
    [tenantId],
  );
}

/** The holds that prevent the erasure of customers that exist. */
export function holdsOnCustomers(
  tx: Transaction,
  { tenant_id, subject_ids }: ErasureEntry,
): Promise<StandingHold[]> {
  return tx.query<StandingHold>(
    `SELECT DISTINCT t.slug AS tenant, h.customer_id FROM legal_holds h JOIN tenants t ON t.id = h.tenant_id
       JOIN customers c ON c.tenant_id = h.tenant_id AND c.id = COALESCE(h.customer_id, c.id)
     WHERE h.tenant_id = $1 AND c.id = ANY ($2) ORDER BY h.customer_id NULLS FIRST`,
    [tenant_id, subject_ids],
  );
}

/** Says which hold prevents that an erasure of the journal is repeated, and how to go on. */
export const formatStandingHold = (erasedAt: string, { tenant, customer_id }: StandingHold): string => {
  const what = customer_id === null ? tenant : `the customer ${customer_id} of ${tenant}`;
  const option = customer_id === null ? '' : ` --customer ${customer_id}`;
  return (
    `The legal hold on ${what}, which this database has from the backup, prevents the erasure of ${erasedAt} from being ` +
    `repeated. If it has been released since, run: hold release ${tenant}${option}`
  );
};
