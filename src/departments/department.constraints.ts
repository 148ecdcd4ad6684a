import { invalidField } from '../platform/http/errors/api-error';
import type { ConstraintErrors } from '../platform/http/errors/constraint-error-registry';

/** The errors for violated constraints of departments. */
export const DEPARTMENT_CONSTRAINTS: ConstraintErrors = {
  departments_identifier_key: () => invalidField('identifier', 'is already in use'),
  departments_overflow_department_id_fkey: () =>
    invalidField('overflow_department_id', 'names a department that does not exist'),
  departments_overflow_check: () => invalidField('overflow_department_id', 'is the department itself'),
};
