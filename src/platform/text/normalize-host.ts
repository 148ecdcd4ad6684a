import { isIPv6 } from 'node:net';

/**
 * The host of a URL in the spelling hosts are compared in: lower case, an IPv6 address without brackets, no
 * final dot.
 */
export const urlHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.+$/g, '');

/**
 * A host name or IP address in the spelling of `urlHost` (WHATWG URL, 3.5: Punycode, one spelling of each
 * IP address).
 * @returns undefined if the text is not a host, or has a port or another part of a URL
 */
export function normalizeHost(text: string): string | undefined {
  const host = isIPv6(text) ? `[${text}]` : text;
  if (!/^(\[[^\]]*\]|[^\s:/?#@*\\[\]]+)$/.test(host)) return undefined;
  const url = URL.parse(`https://${host}`);
  return (url && urlHost(url)) || undefined;
}
