import type { Transaction } from '../platform/database/transaction';
import type { FieldErrors } from '../platform/http/errors/api-error';
import type { CreateAccessLinkDto } from './access-link.dto';

/** Which of the links name a department or customer that the tenant does not have; undefined where none does. */
export async function validateLinkReferences(
  tx: Transaction,
  tenantId: string,
  links: CreateAccessLinkDto[],
): Promise<FieldErrors | undefined> {
  const departments = await findUnknownIds(
    tx,
    'departments',
    tenantId,
    links.map(({ department_id }) => department_id),
  );
  const customers = await findUnknownIds(
    tx,
    'customers',
    tenantId,
    links.map(({ customer_id }) => customer_id),
  );
  const fields: FieldErrors = {};
  links.forEach(({ department_id, customer_id }, index) => {
    if (departments.has(department_id)) {
      fields[`links.${index}.department_id`] = ['names a department that does not exist'];
    }
    if (customer_id && customers.has(customer_id)) {
      fields[`links.${index}.customer_id`] = ['names a customer that does not exist'];
    }
  });
  return Object.keys(fields).length > 0 ? fields : undefined;
}

async function findUnknownIds(
  tx: Transaction,
  table: 'departments' | 'customers',
  tenantId: string,
  ids: (string | null | undefined)[],
): Promise<Set<string>> {
  const missing = await tx.query<{ id: string }>(
    `SELECT named AS id FROM unnest($2::text[]) AS named
     WHERE NOT EXISTS (SELECT FROM ${table} t WHERE t.tenant_id = $1 AND t.id = named::uuid)`,
    [tenantId, [...new Set(ids.filter(Boolean))]],
  );
  return new Set(missing.map(({ id }) => id));
}
