import { findUnknownIds } from '../platform/database/find-unknown-ids';
import type { Transaction } from '../platform/database/transaction';
import type { FieldErrors } from '../platform/http/errors/api-error';
import type { CreateAccessLinkDto } from './access-link.dto';

/**
 * Checks that the tenant has the departments, customers and skills that the links refer to, and keeps these from being
 * deleted until the transaction ends. They are locked in the order of their ids; the foreign keys would lock them in the
 * order of the links, which would deadlock with a merge of the customers.
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
  const unknownSkills = await findUnknownIds(
    tx,
    'skills',
    tenantId,
    links.flatMap(({ skills }) => (skills ?? []).map(({ skill_id }) => skill_id)),
  );
  const fields: FieldErrors = {};
  links.forEach(({ department_id, customer_id, skills }, index) => {
    if (unknownDepartments.has(department_id)) {
      fields[`links.${index}.department_id`] = ['names a department that does not exist'];
    }
    if (customer_id && unknownCustomers.has(customer_id)) {
      fields[`links.${index}.customer_id`] = ['names a customer that does not exist'];
    }
    if (skills?.some(({ skill_id }) => unknownSkills.has(skill_id))) {
      fields[`links.${index}.skills`] = ['names a skill that does not exist'];
    }
  });
  return Object.keys(fields).length > 0 ? fields : undefined;
}
