import { type ApiError, invalidField, unprocessable } from '../platform/http/errors/api-error';

/** Levels of a tree: far more than anybody sorts by, and few enough to be nested in an answer. */
export const MAX_TREE_DEPTH = 100;

/** Where a tag is to stand. */
export interface TagPosition {
  /** The ids of the parent, its parent and so on up to the top; empty when there is no such parent. */
  ancestorIds: readonly string[];
  /** The tag itself; undefined for a new one. */
  tagId?: string;
  /** How many levels the tag takes with those below it; 1 when it stands alone. */
  depth: number;
}

/** Why a tag cannot stand there: 422, or undefined when it can. */
export function validateTagPosition({
  ancestorIds: above,
  tagId,
  depth: levels,
}: TagPosition): ApiError | undefined {
  if (above.length === 0) return invalidField('parent_id', 'names a tag that does not exist');
  if (tagId && above.includes(tagId)) {
    return unprocessable('tag_cycle', 'A tag cannot stand below itself.', {
      parent_id: ['is the tag itself or stands below it'],
    });
  }
  if (above.length + levels > MAX_TREE_DEPTH) {
    return invalidField('parent_id', `would make the tree deeper than ${MAX_TREE_DEPTH} levels`);
  }
  return undefined;
}
