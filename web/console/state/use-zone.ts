import { useMemo } from 'react';
import { useOwnTenant } from './use-me';

export interface Zone {
  /** Its IANA name. */
  name: string;
  /** False for that of the browser, if the service does not say which the company's is. */
  isCompanys: boolean;
}

const BROWSERS: Zone = { name: Intl.DateTimeFormat().resolvedOptions().timeZone, isCompanys: false };

/** The zone in which the company's times are shown; undefined while it is asked for. */
export function useZone(): Zone | undefined {
  const tenant = useOwnTenant();
  const name = tenant?.timezone;
  return useMemo(() => {
    if (name) return { name, isCompanys: true };
    return tenant === null ? BROWSERS : undefined;
  }, [tenant, name]);
}
