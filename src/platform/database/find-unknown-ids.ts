import type { Transaction } from './transaction';

/**
 * Keeps the rows with these ids from being deleted until the transaction ends, locked in the order of their ids.
 * @returns those of the ids that the tenant does not have
 */
export async function findUnknownIds(
  tx: Transaction,
  table: 'departments' | 'customers' | 'skills',
  tenantId: string,
  ids: (string | null | undefined)[],
): Promise<Set<string>> {
  const unknown = await tx.query<{ id: string }>(
    `WITH known AS (
       SELECT id FROM ${table} WHERE tenant_id = $1 AND id = ANY ($2::text[]::uuid[]) ORDER BY id FOR KEY SHARE)
     SELECT given AS id FROM unnest($2::text[]) AS given WHERE given::uuid NOT IN (SELECT id FROM known)`,
    [tenantId, [...new Set(ids.filter(Boolean))]],
  );
  return new Set(unknown.map(({ id }) => id));
}
