import { useMemo } from 'react';
import { deviceZone, shownZone } from '../../shared/zones';
import { useOwnTenant } from './use-me';

export interface Zone {
  /** Its IANA name. */
  name: string;
  /** False for that of the browser, if the service does not say which the company's is, or the browser does not know it. */
  isCompanys: boolean;
}

const BROWSERS: Zone = { name: deviceZone(), isCompanys: false };

/** The zone in which all pages show times, unless they name another; undefined while it is asked for. */
export function useZone(): Zone | undefined {
  const tenant = useOwnTenant();
  const name = tenant?.timezone;
  return useMemo(() => {
    if (name) return { name: shownZone(name), isCompanys: shownZone(name) === name };
    return tenant === null ? BROWSERS : undefined;
  }, [tenant, name]);
}
