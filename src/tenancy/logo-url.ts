import { invalidField } from '../platform/http/errors/api-error';

const LOGOS = '/api/v1/logos';
const LONGEST = 2000;

/** Where an uploaded logo is served. Stored without a host, so that it stays right when PUBLIC_URL changes. */
export const logoPath = (tenantId: string, contentHash: string): string =>
  `${LOGOS}/${tenantId}/${contentHash}.png`;

/** A stored logo_url as it goes over the wire: always absolute. */
export function absoluteLogoUrl(stored: string | null, publicUrl: string): string | null {
  return stored?.startsWith('/') ? publicUrl + stored : stored;
}

/**
 * What to store for a logo_url that a client sent. The present one is taken as it is, so that a client may
 * put back what it got; a logo of ours that is not the present one is gone and would show nothing.
 * @throws 422 unless it is null, the present one or an absolute https address elsewhere
 */
export function storedLogoUrl(
  given: string | null,
  present: string | null,
  publicUrl: string,
): string | null {
  if (given === null || given === absoluteLogoUrl(present, publicUrl)) return given && present;
  const url = URL.parse(given);
  const isAddress = url?.protocol === 'https:' && !url.username && !url.password;
  if (!isAddress || url.href.length > LONGEST) {
    throw invalidField('logo_url', `must be an https address of at most ${LONGEST} characters`);
  }
  if (url.href.startsWith(`${publicUrl}${LOGOS}/`)) {
    throw invalidField('logo_url', 'names an uploaded logo that is no longer there');
  }
  return url.href;
}
