import type { components } from '../../../shared/api/client';

export type TagTree = components['schemas']['TagTreeDto'];

/** A tag with its place in the tree. */
export interface TagRow extends TagTree {
  /** 0 for the first level. */
  depth: number;
}

/** @returns each tag, directly followed by those below it */
export const flatten = (tags: readonly TagTree[], depth = 0): TagRow[] =>
  tags.flatMap((tag) => [{ ...tag, depth }, ...flatten(tag.children, depth + 1)]);

/** @returns the tags below which a tag can be put: neither itself nor one of its descendants; all for a new tag */
export function possibleParents(rows: readonly TagRow[], tag: TagTree | null): TagRow[] {
  const excluded = new Set(tag ? flatten([tag]).map(({ id }) => id) : []);
  return rows.filter(({ id }) => !excluded.has(id));
}
