import { invalidField } from '../../platform/http/errors/api-error';
import type { ConstraintErrors } from '../../platform/http/errors/constraint-error-registry';

/** The errors for violated constraints of the tags of calls. */
export const CALL_TAG_CONSTRAINTS: ConstraintErrors = {
  call_tags_tag_id_fkey: () => invalidField('tag_id', 'names a tag that does not exist'),
};
