import { invalidField } from '../platform/http/errors/api-error';
import type { ConstraintErrors } from '../platform/http/errors/constraint-error-registry';

/** The errors for violated constraints of tags. */
export const TAG_CONSTRAINTS: ConstraintErrors = {
  tags_name_key: () => invalidField('name', 'is already in use beside it'),
  tags_parent_id_fkey: () => invalidField('parent_id', 'names a tag that does not exist'),
};
