import { isSupportedCountry } from 'libphonenumber-js/max';
import { invalidField } from '../platform/http/errors/api-error';
import { parseHttpUrl } from './mail/parse-http-url';

export const MAX_SITES = 50;
export const MAX_PAUSE_REASONS = 20;
export const MAX_PRIVACY_URL_LENGTH = 2000;

/** The reason of a pause that the service begins because an agent did not answer an offer. */
export const MISSED_OFFER = 'missed_offer';

/** The reason of supervisors, managers and owners who do not take calls: they begin with it. */
export const NOT_TAKING_CALLS = 'not_taking_calls';

const RESERVED_REASONS = [MISSED_OFFER, NOT_TAKING_CALLS];

/** Stricter than URL parsing: a semicolon in a host would end the directive of a Content-Security-Policy. */
const HOST = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/;
const LOOPBACK = /^((.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** A BCP 47 tag in its canonical form: `PT-br` → `pt-BR`. @throws 422 */
export function canonicalLanguage(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag;
  } catch {
    throw invalidField('language', 'must be a BCP 47 language tag, such as pt-BR');
  }
}

/** The code of a country with phone numbers in capitals: `br` → `BR`. @throws 422 */
export function canonicalCountry(code: string): string {
  const country = code.toUpperCase();
  if (isSupportedCountry(country)) return country;
  throw invalidField('country', 'must be the two-letter code of a country (ISO 3166), such as BR');
}

/** The normalized address of a privacy notice. @throws 422 unless it is an absolute https URL */
export function normalPrivacyUrl(address: string): string {
  const url = parseHttpUrl(address);
  if (!url?.startsWith('https:') || url.length > MAX_PRIVACY_URL_LENGTH) {
    throw invalidField('privacy_url', `must be an https URL of at most ${MAX_PRIVACY_URL_LENGTH} characters`);
  }
  return url;
}

/**
 * The distinct origins of the sites, in the given order.
 * @throws 422 for a URL that is not https (or http on loopback), or for too many
 */
export function siteOrigins(sites: string[]): string[] {
  const origins = [...new Set(sites.map(originOf))];
  if (origins.length > MAX_SITES) throw invalidField('allowed_sites', `must have at most ${MAX_SITES} sites`);
  return origins;
}

function originOf(site: string): string {
  const url = URL.parse(site);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (!url || !isSafe || !HOST.test(url.hostname) || url.username || url.password) {
    const shown = site.length > 100 ? `${site.slice(0, 100)}…` : site;
    throw invalidField('allowed_sites', `contains "${shown}", which is not the https URL of a site`);
  }
  return url.origin;
}

/** The distinct reasons, in the given order. @throws 422 for a reserved one */
export function distinctPauseReasons(reasons: string[]): string[] {
  const names = new Set(reasons.map((reason) => reason.toLowerCase()));
  const reserved = RESERVED_REASONS.find((reason) => names.has(reason));
  if (reserved)
    throw invalidField('pause_reasons', `must not contain "${reserved}", which the service uses itself`);
  return [...new Set(reasons)];
}
