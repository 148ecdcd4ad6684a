import { isIPv4, isIPv6 } from 'node:net';
import { parseIpAddress } from '../text/ip-address';

/**
 * The network of a client for log lines, which must not identify a person: an IPv4 address without its last number, and the
 * first 48 bits of an IPv6 address, which is what a provider gives to a customer or more.
 * @returns undefined if the text is not an address
 */
export function networkOf(address = ''): string | undefined {
  const parsed = parseIpAddress(address)?.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (parsed === undefined) return undefined;
  if (isIPv4(parsed)) return parsed.replace(/\d+$/, '0/24');
  if (!isIPv6(parsed)) return undefined;
  const groups = expand(parsed.replace(/%.*$/, ''));
  return `${groups
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/48`;
}

/** The groups of an IPv6 address whose zeros may be abbreviated; at least three. */
function expand(address: string): string[] {
  const [before = '', after] = address.split('::');
  const groups = before === '' ? [] : before.split(':');
  return after === undefined ? groups : [...groups, '0', '0', '0'];
}
