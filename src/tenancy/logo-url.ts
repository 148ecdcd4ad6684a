import { invalidField } from '../platform/http/errors/api-error';
import { absolutePictureUrl } from './pictures/picture-url';

const LOGOS_PATH = '/api/v1/logos';
const MAX_URL_LENGTH = 2000;

/** Path of an uploaded logo. Stored without a host, so that it stays valid when PUBLIC_URL changes. */
export const logoPath = (tenantId: string, contentHash: string): string =>
  `${LOGOS_PATH}/${tenantId}/${contentHash}.png`;

/**
 * The value to store for a logo_url that a client sent. The current one is accepted unchanged, so that
 * clients can send back what they read; any other uploaded logo no longer exists.
 * @throws 422 unless it is null, the current one or another https URL that is not an uploaded logo
 */
export function logoUrlToStore(
  given: string | null,
  current: string | null,
  publicUrl: string,
): string | null {
  if (given === null || given === absolutePictureUrl(current, publicUrl)) return given && current;
  const url = URL.parse(given);
  const isHttps = url?.protocol === 'https:' && !url.username && !url.password;
  if (!isHttps || url.href.length > MAX_URL_LENGTH) {
    throw invalidField('logo_url', `must be an https URL of at most ${MAX_URL_LENGTH} characters`);
  }
  if (url.href.startsWith(`${publicUrl}${LOGOS_PATH}/`)) {
    throw invalidField('logo_url', 'is an uploaded logo that no longer exists');
  }
  return url.href;
}
