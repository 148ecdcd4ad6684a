import { useQuery } from '@tanstack/react-query';
import { unwrap, type components } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';

export type AccessLink = components['schemas']['AccessLinkDto'];
export type NewLink = components['schemas']['CreateAccessLinkDto'];
export type LinkStatus = components['schemas']['AccessLinkStatus'];

export const LINK_STATUSES: readonly LinkStatus[] = ['active', 'used', 'expired', 'cancelled'];

/** The beginning of the keys of all queries about links. */
export const LINKS_KEY = ['links'];

const MAX_READ = 100;

export function useSkills() {
  const api = useApi();
  return useQuery({
    queryKey: ['skills', 'choice'],
    queryFn: async () => {
      const query = { page_size: MAX_READ, sort_by: 'name', sort_order: 'asc' } as const;
      return (await unwrap(api.GET('/api/v1/skills', { params: { query } }))).data;
    },
  });
}
