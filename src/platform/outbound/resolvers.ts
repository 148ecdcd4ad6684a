import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

/**
 * Every address of a host name. Throws or returns none if there are none or the name servers do not answer.
 */
export type Resolve = (name: string, signal: AbortSignal) => Promise<LookupAddress[]>;

/** One query to one name server: `timeout` ms for the first attempt, twice that for the second. */
const DNS_QUERY = { timeout: 2000, tries: 2 };

/**
 * Resolves as this machine does, with its hosts file and search domains; for host names the operator has
 * chosen.
 */
export const resolveWithSystem: Resolve = (name) => lookup(name, { all: true });

/**
 * Resolves by DNS alone, for host names a tenant has chosen. System lookups block one of the two threads
 * that the process has for them, so silent name servers of one tenant would delay every other lookup.
 * @param servers addresses, optionally with ports, used instead of this machine's name servers
 */
export function dnsResolver(servers?: string[]): Resolve {
  return async (name, signal) => {
    const resolver = new Resolver(DNS_QUERY);
    if (servers) resolver.setServers(servers);
    signal.addEventListener('abort', () => resolver.cancel(), { once: true });
    const results = await Promise.allSettled([
      resolver.resolve4(name).then(withFamily(4)),
      resolver.resolve6(name).then(withFamily(6)),
    ]);
    return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  };
}

const withFamily = (family: 4 | 6) => (addresses: string[]) =>
  addresses.map((address) => ({ address, family }));
