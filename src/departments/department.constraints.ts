import { invalidField } from '../platform/http/errors/api-error';
import type { ConstraintErrors } from '../platform/http/errors/constraint-errors';

/** The errors for violated constraints of departments. */
export const DEPARTMENT_CONSTRAINTS: ConstraintErrors = {
  departments_identifier_key: () => invalidField('identifier', 'is already in use'),
};
