import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

/** Every address of a name; throws, or finds none, where it has none or nobody can tell. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<LookupAddress[]>;

/** For one question to one server, in ms, the first time; the second time it is twice as long. */
const DNS_PATIENCE = { timeout: 2000, tries: 2 };

/** As this machine does it, with its hosts file and search domains; for names that the operator has chosen. */
export const resolveBySystem: Resolve = (name) => lookup(name, { all: true });

/**
 * By DNS alone, for names of anybody's choice. The system's way would have them wait in one of the two threads that
 * the whole process has for that, and name servers that are silent could occupy both.
 * @param servers addresses, with ports if need be, instead of the servers of this machine
 */
export function resolverByDns(servers?: string[]): Resolve {
  return async (name, signal) => {
    const resolver = new Resolver(DNS_PATIENCE);
    if (servers) resolver.setServers(servers);
    signal.addEventListener('abort', () => resolver.cancel(), { once: true });
    const answers = await Promise.allSettled([
      resolver.resolve4(name).then(ofFamily(4)),
      resolver.resolve6(name).then(ofFamily(6)),
    ]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

const ofFamily = (family: 4 | 6) => (addresses: string[]) =>
  addresses.map((address) => ({ address, family }));
