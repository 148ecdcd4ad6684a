import { useQuery, useQueryClient } from '@tanstack/react-query';
import { unwrap, type components } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';

type TagTree = components['schemas']['TagTreeDto'];

export interface TagChoice {
  id: string;
  name: string;
  color: string;
  /** With the names of the tags above it: `Billing / Refund`. */
  path: string;
}

/** All tags of the company, each with its path. */
export function useTagChoices() {
  const api = useApi();
  return useQuery({
    queryKey: ['tag-choices'],
    queryFn: async () => flatten((await unwrap(api.GET('/api/v1/tags/tree'))).data),
  });
}

/** @returns the tags of a call, and what adds and removes them */
export function useCallTags(callId: string) {
  const api = useApi();
  const queries = useQueryClient();
  // Below that of the call, so that news of it renews them, too.
  const queryKey = ['calls', callId, 'tags'];
  const query = useQuery({
    queryKey,
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/calls/{call_id}/tags', { params: { path: { call_id: callId } } }))).data,
  });
  const renew = () => queries.invalidateQueries({ queryKey });
  return {
    tags: query.data ?? [],
    error: query.error,
    refetch: query.refetch,
    add: async (tag_id: string) => {
      const params = { path: { call_id: callId } };
      await unwrap(api.POST('/api/v1/calls/{call_id}/tags', { params, body: { tag_id } }));
      await renew();
    },
    remove: async (tag_id: string) => {
      const params = { path: { call_id: callId, tag_id } };
      await unwrap(api.DELETE('/api/v1/calls/{call_id}/tags/{tag_id}', { params }));
      await renew();
    },
  };
}

export const flatten = (tags: readonly TagTree[], above = ''): TagChoice[] =>
  tags.flatMap(({ id, name, color, children }) => {
    const path = above ? `${above} / ${name}` : name;
    return [{ id, name, color, path }, ...flatten(children, path)];
  });
