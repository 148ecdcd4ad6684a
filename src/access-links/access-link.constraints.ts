import { invalidField } from '../platform/http/errors/api-error';
import type { ConstraintErrors } from '../platform/http/errors/constraint-error-registry';

/** The errors for violated constraints of access links. */
export const ACCESS_LINK_CONSTRAINTS: ConstraintErrors = {
  access_links_department_id_fkey: () =>
    invalidField('department_id', 'names a department that does not exist'),
  access_links_customer_id_fkey: () => invalidField('customer_id', 'names a customer that does not exist'),
  access_link_skills_skill_id_fkey: () => invalidField('skills', 'names a skill that does not exist'),
};
