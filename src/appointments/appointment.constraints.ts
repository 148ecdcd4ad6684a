import { invalidField, unprocessable } from '../platform/http/errors/api-error';
import type { ConstraintErrors } from '../platform/http/errors/constraint-error-registry';

/** The errors for violated constraints of appointments. */
export const APPOINTMENT_CONSTRAINTS: ConstraintErrors = {
  appointments_overlap_excl: () =>
    unprocessable('appointment_conflict', 'The agent has another appointment at that time.', {
      starts_at: ['overlaps another appointment of the agent'],
    }),
  appointments_department_id_fkey: () =>
    invalidField('department_id', 'names a department that does not exist'),
  appointments_customer_id_fkey: () => invalidField('customer_id', 'names a customer that does not exist'),
};
