import { invalidField } from '../platform/http/errors/api-error';

export const MAX_SITES = 50;

/** What a browser takes for a host is more: a semicolon, say, would end a Content-Security-Policy's directive. */
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

/** Whether the runtime can tell the time in this zone. */
export function isTimezone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/**
 * The origins of the sites, each once, in the order given.
 * @throws 422 for anything but https (http on this machine), or for too many
 */
export function siteOrigins(sites: string[]): string[] {
  const origins = [...new Set(sites.map(siteOrigin))];
  if (origins.length > MAX_SITES) throw invalidField('allowed_sites', `must be at most ${MAX_SITES}`);
  return origins;
}

function siteOrigin(site: string): string {
  const url = URL.parse(site);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (!url || !isSafe || !HOST.test(url.hostname) || url.username || url.password) {
    const shown = site.length > 100 ? `${site.slice(0, 100)}…` : site;
    throw invalidField('allowed_sites', `holds "${shown}", which is no https address of a site`);
  }
  return url.origin;
}
