import { BlockList, isIP } from 'node:net';

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
