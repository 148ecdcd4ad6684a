import { type ApiError, invalidField, unprocessable } from '../platform/http/errors/api-error';

/** Far deeper than any real tree, and shallow enough to be nested in a response. */
export const MAX_TREE_DEPTH = 100;

/** The position below a parent that a tag is to take. */
export interface TagPosition {
  /** From the parent up to the root; empty when the parent does not exist. */
  ancestorIds: readonly string[];
  /** Undefined for a new tag. */
  tagId?: string;
  /** Levels of the tag's own subtree; 1 for a tag without children. */
  depth: number;
}

/** Returns the 422 error that forbids the position, or undefined when it is valid. */
export function validateTagPosition({ ancestorIds, tagId, depth }: TagPosition): ApiError | undefined {
  if (ancestorIds.length === 0) return invalidField('parent_id', 'names a tag that does not exist');
  if (tagId && ancestorIds.includes(tagId)) {
    return unprocessable('tag_cycle', 'A tag cannot be its own ancestor.', {
      parent_id: ['is the tag itself or one of its descendants'],
    });
  }
  if (ancestorIds.length + depth > MAX_TREE_DEPTH) {
    return invalidField('parent_id', `would make the tree deeper than ${MAX_TREE_DEPTH} levels`);
  }
  return undefined;
}
