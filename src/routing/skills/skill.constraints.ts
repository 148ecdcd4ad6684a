import { invalidField } from '../../platform/http/errors/api-error';
import type { ConstraintErrors } from '../../platform/http/errors/constraint-error-registry';

/** The errors for violated constraints of skills. */
export const SKILL_CONSTRAINTS: ConstraintErrors = {
  skills_name_key: () => invalidField('name', 'is already in use'),
};
