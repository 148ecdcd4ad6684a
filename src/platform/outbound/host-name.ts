import { isIPv6 } from 'node:net';

/** The host of a URL as hosts are compared: in lower case, an IPv6 address without brackets, no final dot. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.+$/g, '');

/**
 * A bare host, name or IP address, in the spelling of `hostOf` (WHATWG URL, 3.5: Punycode, one spelling of each IP).
 * @returns undefined for what is none, or has a port or anything else of a URL with it
 */
export function hostName(text: string): string | undefined {
  const host = isIPv6(text) ? `[${text}]` : text;
  if (!/^(\[[^\]]*\]|[^\s:/?#@*\\[\]]+)$/.test(host)) return undefined;
  const url = URL.parse(`https://${host}`);
  return (url && hostOf(url)) || undefined;
}
