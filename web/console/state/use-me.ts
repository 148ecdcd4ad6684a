import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../shared/api/client';
import { useApi } from './console-context';
import { ownTenantOf } from './own-tenant.rules';

export const ME_KEY = ['users', 'me'];

/** Settings of the company change seldom. */
const STALE_SETTINGS_MS = 300_000;

/** The user's own data, and those settings of the company that every user may read. */
export function useMe(staleTime?: number) {
  const api = useApi();
  return useQuery({
    queryKey: ME_KEY,
    queryFn: async () => (await unwrap(api.GET('/api/v1/users/me'))).data,
    ...(staleTime !== undefined && { staleTime }),
  });
}

/** @returns undefined while it is asked for; null if the service does not send it */
export function useOwnTenant() {
  const { data, isError } = useMe(STALE_SETTINGS_MS);
  return ownTenantOf(data, isError);
}
