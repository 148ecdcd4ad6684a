import { useQuery } from '@tanstack/react-query';
import { unwrap, type Api, type components } from '../../shared/api/client';
import { useApi } from './console-context';
import { fetchAll } from './fetch-all';

export type CannedReply = components['schemas']['CannedReplyDto'];

/** Of all queries about canned replies. */
export const CANNED_REPLIES_KEY = ['canned-replies'];

const STALE_MS = 60_000;

/** All texts of the company, by title. */
export const fetchCannedReplies = (api: Api): Promise<CannedReply[]> =>
  fetchAll<CannedReply>((page) => {
    const query = { ...page, sort_by: 'title', sort_order: 'asc' } as const;
    return unwrap(api.GET('/api/v1/canned-replies', { params: { query } }));
  });

/** All texts of the company for notes and chat messages: they are searched while an agent types. */
export function useCannedReplies() {
  const api = useApi();
  return useQuery({
    queryKey: [...CANNED_REPLIES_KEY, 'all'],
    staleTime: STALE_MS,
    queryFn: () => fetchCannedReplies(api),
  });
}
