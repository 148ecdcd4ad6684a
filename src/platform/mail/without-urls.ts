import { toSingleLine } from '../text/single-line';

/** Dots that browsers accept in host names (IDNA, UTS 46). */
const DOT = '[.\\u3002\\uFF0E\\uFF61]';
const LABEL = '[\\p{L}\\p{N}][\\p{L}\\p{N}_-]*';

/** `https://…`, `//…`, `mailto:…` and `www.…`, up to the next space. */
const URLS = new RegExp(`(?:[a-z][a-z0-9+.-]*:)?//\\S+|\\bmailto:\\S+|\\bwww${DOT}\\S+`, 'giu');
/** A host name that is followed by a port, path or query. */
const HOSTS_WITH_PATH = new RegExp(`(?:${LABEL}${DOT})+${LABEL}(?::\\d|[/?#])\\S*`, 'giu');
/**
 * A host name: mail clients make links of these as well. The last part has no digits, so numbers and times remain. That
 * of an e-mail address is left alone.
 */
const HOSTS = new RegExp(`(?<![\\p{L}\\p{N}_.-]|[^\\s@]@)(?:${LABEL}${DOT})+\\p{L}{2,}`, 'giu');

/**
 * The text on one line, without anything that mail clients would make a link of. URLs are replaced by an ellipsis; a
 * mere host name, which can be the name of a company, keeps its words. Use it for text that a tenant chooses:
 * otherwise a new company could mail strangers links in the name of the service.
 */
export function withoutUrls(text: string): string {
  return toSingleLine(text)
    .replace(URLS, '…')
    .replace(HOSTS_WITH_PATH, '…')
    .replace(HOSTS, (host) => host.replace(new RegExp(DOT, 'gu'), ' '));
}
