import { invalidField, unprocessable } from '../../platform/http/errors/api-error';
import type { ConstraintErrors } from '../../platform/http/errors/constraint-error-registry';

/** The errors for violated constraints of users and of their memberships in departments. */
export const USER_CONSTRAINTS: ConstraintErrors = {
  users_email_key: () => invalidField('email', 'is already in use'),
  department_members_pkey: () =>
    unprocessable('already_member', 'The user is already a member of this department.', {
      user_id: ['is already a member'],
    }),
  department_members_user_id_fkey: () => invalidField('user_id', 'is not a user of this tenant'),
  department_members_department_id_fkey: () =>
    invalidField('department_ids', 'names a department that does not exist'),
};
