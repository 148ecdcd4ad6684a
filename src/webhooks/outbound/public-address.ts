import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { OutboundError } from './outbound-request';

/** IANA IPv4 Special-Purpose Address Registry (RFC 6890), multicast, and 240.0.0.0/4, which is reserved. */
const NOT_PUBLIC_IPV4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/**
 * All global unicast addresses of IANA. Addresses that embed IPv4 (mapped, compatible, NAT64) are outside of
 * it.
 */
const GLOBAL_IPV6 = blockList('ipv6', ['2000::/3']);

/** Special-purpose networks inside 2000::/3: IETF protocols with Teredo and ORCHID, documentation, 6to4. */
const NOT_PUBLIC_IPV6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** Whether an IP address, as resolvers and WHATWG URLs spell it, belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !NOT_PUBLIC_IPV4.check(address, 'ipv4');
  // Only addresses that are not global have a zone (RFC 4007).
  if (version !== 6 || address.includes('%')) return false;
  return GLOBAL_IPV6.check(address, 'ipv6') && !NOT_PUBLIC_IPV6.check(address, 'ipv6');
}

function blockList(family: 'ipv4' | 'ipv6', networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/**
 * A lookup for one connection that resolves the host name once and checks every address. The connection
 * uses the checked addresses, so a later DNS answer cannot redirect it (DNS rebinding).
 * @param allowPrivate if false, a single private address among the results refuses the host
 */
export function guardedLookup(resolve: Resolve, allowPrivate: boolean, signal: AbortSignal): LookupFunction {
  return (name, { all }, callback) => {
    void addressesOf(name, resolve, signal).then((addresses) => {
      const [first] = addresses;
      const isRefused = !allowPrivate && addresses.some(({ address }) => !isPublicAddress(address));
      if (!first) return callback(new OutboundError('host name does not resolve'), '');
      if (isRefused) return callback(new OutboundError('address not allowed'), '');
      return all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

/** Empty if the lookup fails. */
async function addressesOf(name: string, resolve: Resolve, signal: AbortSignal): Promise<LookupAddress[]> {
  try {
    return await resolve(name, signal);
  } catch {
    return [];
  }
}

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
