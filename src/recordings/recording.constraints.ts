import { unprocessable } from '../platform/http/errors/api-error';
import type { ConstraintErrors } from '../platform/http/errors/constraint-error-registry';

/** The errors for violated constraints of recordings. */
export const RECORDING_CONSTRAINTS: ConstraintErrors = {
  // Violated when a department that has recordings is deleted.
  recordings_department_id_fkey: () =>
    unprocessable('department_has_recordings', 'The department has recordings.'),
};
