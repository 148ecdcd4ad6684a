import { BlockList, isIP } from 'node:net';

const IPV4_WITH_PORT = /^([\d.]+):\d+$/;
const IN_BRACKETS = /^\[([^\]]+)\](?::\d+)?$/;

/**
 * The IP address in an entry of X-Forwarded-For. Some proxies append the port or write IPv6 addresses in
 * brackets, and a proxy that is trusted too far passes on any text that the client sent.
 * @returns null when the entry is not an IP address
 */
export function parseIpAddress(entry: string | undefined): string | null {
  const bare = IPV4_WITH_PORT.exec(entry ?? '')?.[1] ?? IN_BRACKETS.exec(entry ?? '')?.[1] ?? entry ?? '';
  return isIP(bare) > 0 ? bare : null;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Also for IPv4 addresses as IPv6 sockets have them (`::ffff:127.0.0.1`). */
export function isLoopback(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && LOOPBACK.check(address, version === 4 ? 'ipv4' : 'ipv6');
}
