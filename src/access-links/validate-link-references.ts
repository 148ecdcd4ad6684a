import type { Transaction } from '../platform/database/transaction';
import type { FieldErrors } from '../platform/http/errors/api-error';
import type { CreateAccessLinkDto } from './access-link.dto';

/**
 * Checks that the tenant has the departments and customers that the links refer to.
 * @returns an error for each unknown reference, or undefined when there is none
 */
export async function validateLinkReferences(
  tx: Transaction,
  tenantId: string,
  links: CreateAccessLinkDto[],
): Promise<FieldErrors | undefined> {
  const unknownDepartments = await findUnknownIds(
    tx,
    'departments',
    tenantId,
    links.map(({ department_id }) => department_id),
  );
  const unknownCustomers = await findUnknownIds(
    tx,
    'customers',
    tenantId,
    links.map(({ customer_id }) => customer_id),
  );
  const fields: FieldErrors = {};
  links.forEach(({ department_id, customer_id }, index) => {
    if (unknownDepartments.has(department_id)) {
      fields[`links.${index}.department_id`] = ['names a department that does not exist'];
    }
    if (customer_id && unknownCustomers.has(customer_id)) {
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
  const unknown = await tx.query<{ id: string }>(
    `SELECT given AS id FROM unnest($2::text[]) AS given
     WHERE NOT EXISTS (SELECT FROM ${table} t WHERE t.tenant_id = $1 AND t.id = given::uuid)`,
    [tenantId, [...new Set(ids.filter(Boolean))]],
  );
  return new Set(unknown.map(({ id }) => id));
}
