import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../shared/api/client';
import { useApi, useHasRole } from './console-context';

export interface Zone {
  /** Its IANA name. */
  name: string;
  /** False for that of the browser: attendants cannot ask for the company's. */
  isCompanys: boolean;
}

const BROWSERS: Zone = { name: Intl.DateTimeFormat().resolvedOptions().timeZone, isCompanys: false };

/** The zone in which the company's times are shown; undefined while it is asked for. */
export function useZone(): Zone | undefined {
  const api = useApi();
  const isManager = useHasRole('manager');
  const isSupervisor = useHasRole('supervisor');
  const { data, isError } = useQuery({
    queryKey: ['zone'],
    enabled: isSupervisor,
    staleTime: Infinity,
    queryFn: async (): Promise<Zone> => {
      // Supervisors may not read the company's settings, but its reports name the zone.
      const name = isManager
        ? (await unwrap(api.GET('/api/v1/tenant'))).data.timezone
        : (await unwrap(api.GET('/api/v1/analytics/overview'))).meta.timezone;
      return { name, isCompanys: true };
    },
  });
  return isSupervisor && !isError ? data : BROWSERS;
}
