import { useQuery } from '@tanstack/react-query';
import { unwrap, type components } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';

export type TagTree = components['schemas']['TagTreeDto'];

export const TAGS_KEY = ['tags'];

/** A tag with its place in the tree. */
export interface TagRow extends TagTree {
  /** 0 for the first level. */
  depth: number;
}

/** All tags of the company, each below its parent. */
export function useTags() {
  const api = useApi();
  return useQuery({
    queryKey: TAGS_KEY,
    queryFn: async () => flatten((await unwrap(api.GET('/api/v1/tags/tree'))).data),
  });
}

const flatten = (tags: readonly TagTree[], depth = 0): TagRow[] =>
  tags.flatMap((tag) => [{ ...tag, depth }, ...flatten(tag.children, depth + 1)]);
