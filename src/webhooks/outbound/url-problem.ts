import { isIP } from 'node:net';
import { urlHost } from '../../platform/text/normalize-host';
import { isPublicAddress } from './public-address';

const MAX_URL_LENGTH = 2048;

/** Host names of this machine (RFC 6761, 6.3). */
const LOCALHOST = /^(.+\.)?localhost$/;

/**
 * Checks the text of a URL that requests are to be sent to. The addresses of its host are checked at each
 * request.
 * @param allowedPrivateHosts hosts spelled as by `normalizeHost`; only they may use http or a private address
 * @returns the problem as a validation message, such as "must begin with https://", or undefined if there is
 * none
 */
export function findUrlProblem(text: string, allowedPrivateHosts: readonly string[]): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`;
  if (!/^https?:\/\//i.test(text)) return 'must begin with https://';
  // The URL parser would remove them silently.
  if (/[\s\p{Cc}]/u.test(text)) return 'must not contain blanks or control characters';
  const url = URL.parse(text);
  const host = url && urlHost(url);
  if (!host) return 'must be a valid URL';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (allowedPrivateHosts.includes(host)) return undefined;
  if (url.protocol !== 'https:') return 'must begin with https://';
  return isPrivateHost(host) ? 'must not lead to a private or reserved address' : undefined;
}

const isPrivateHost = (host: string): boolean =>
  LOCALHOST.test(host) || (isIP(host) !== 0 && !isPublicAddress(host));
