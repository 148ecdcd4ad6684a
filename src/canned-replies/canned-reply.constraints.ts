import { invalidField } from '../platform/http/errors/api-error';
import type { ConstraintErrors } from '../platform/http/errors/constraint-error-registry';

/** The errors for violated constraints of canned replies. */
export const CANNED_REPLY_CONSTRAINTS: ConstraintErrors = {
  canned_replies_shortcut_key: () => invalidField('shortcut', 'is already in use'),
};
