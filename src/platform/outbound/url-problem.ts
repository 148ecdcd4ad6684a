import { isIP } from 'node:net';
import { hostOf } from './host-name';
import { isPublicAddress } from './public-address';

const LONGEST_URL = 2048;

/** Names that lead to this machine (RFC 6761, 6.3). */
const LOCALHOST = /^(.+\.)?localhost$/;

/**
 * Why nothing is sent to this address, as far as its text tells; what its name resolves to is seen at delivery.
 * @param allowedPrivateHosts in the spelling of `hostName`; http and addresses that are not public are for them alone
 * @returns what to say of a field, such as "must begin with https://", or undefined for an address that will do
 */
export function urlProblem(text: string, allowedPrivateHosts: readonly string[]): string | undefined {
  if (text.length > LONGEST_URL) return `must not be longer than ${LONGEST_URL} characters`;
  if (!/^https?:\/\//i.test(text)) return 'must begin with https://';
  // A parser would drop them without a word.
  if (/[\s\p{Cc}]/u.test(text)) return 'must not contain blanks or control characters';
  const url = URL.parse(text);
  const host = url && hostOf(url);
  if (!host) return 'must be a valid URL';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (allowedPrivateHosts.includes(host)) return undefined;
  if (url.protocol !== 'https:') return 'must begin with https://';
  return isOffLimits(host) ? 'must not lead to a private or reserved address' : undefined;
}

const isOffLimits = (host: string): boolean =>
  LOCALHOST.test(host) || (isIP(host) !== 0 && !isPublicAddress(host));
