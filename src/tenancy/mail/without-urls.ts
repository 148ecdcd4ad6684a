import { toSingleLine } from '../../platform/text/single-line';

/** A letter or mark of a script whose words can need joiners, such as Persian and Hindi. */
const JOINED = '(?![\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}])[\\p{L}\\p{M}]';
const EMOJI = '\\p{Extended_Pictographic}';
/** U+200C and U+200D where words and emoji are written with them. */
const JOINER = `(?<=${JOINED})[\\u200C\\u200D](?=${JOINED})|(?<=${EMOJI}[\\uFE0F\\p{Emoji_Modifier}]*)\\u200D(?=${EMOJI})`;
/**
 * Other characters without a width, such as U+200B and U+00AD. Mail programs ignore them, so a link would work without
 * them.
 */
const INVISIBLE = new RegExp(`(?!${JOINER})\\p{Cf}`, 'gu');
/** Dots that browsers accept in host names (IDNA, UTS 46). */
const DOT = '[.\\u3002\\uFF0E\\uFF61]';
const LETTERS = '\\p{L}\\p{M}\\u200C\\u200D';
const LABEL = `[${LETTERS}\\p{N}\\p{So}_-]`;
const IPV4 = `(?<!\\p{N})(?:\\p{Nd}{1,3}${DOT}){3}\\p{Nd}{1,3}(?!\\p{N})`;
/**
 * A host name. Any two letters or more can be a top-level domain, since new ones are registered all the time; one letter
 * or a number cannot, so abbreviations, numbers and times remain.
 */
const HOST = `(?<!${LABEL})(?:${LABEL}+${DOT})+(?:xn--[a-z0-9-]+|[${LETTERS}]{2,})`;

/** `https://…`, `//…`, `mailto:…` and `www.…`, up to the next space. */
const URLS = new RegExp(`(?:[a-z][a-z0-9+.-]*:)?//\\S+|\\bmailto:\\S+|\\bwww${DOT}\\S+`, 'giu');
/** A host that is followed by a port, path or query. */
const HOSTS_WITH_PATH = new RegExp(`(?:${HOST}|${IPV4})(?::\\d|[/?#])\\S*`, 'giu');
/** A mere host, of which mail programs make a link, too; or `@` and a host, which is the end of an e-mail address. */
const HOSTS = new RegExp(`(?<=[^\\s@])@(?=[\\p{L}\\p{N}])${HOST}|${HOST}|${IPV4}`, 'giu');
const DOTS = new RegExp(DOT, 'gu');

/**
 * The text on one line, without anything that mail programs would make a link of. URLs are replaced by an ellipsis; a
 * mere host name, which can be the name of a company, keeps its words. Use it for text that a tenant chooses:
 * otherwise a new company could mail strangers links in the name of the service.
 */
export function withoutUrls(text: string): string {
  return toSingleLine(text.replace(INVISIBLE, ''))
    .replace(URLS, '…')
    .replace(HOSTS_WITH_PATH, '…')
    .replace(HOSTS, (host) => (host.startsWith('@') ? host : host.replace(DOTS, ' ')));
}
