export interface TextPart {
  text: string;
  /** Set on the address of a page. */
  href: string | null;
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"]+/gi;
/** What ends a sentence or a bracket around an address, rather than the address. */
const PUNCTUATION = /[.,;:!?'’”»…\])}*]+$/;

/** A message in parts, whose addresses of pages (http and https) can be links. Together the parts are the text. */
export function linkParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutPunctuation(found);
    const href = hrefOf(address);
    if (href === null) continue;
    if (index > end) parts.push({ text: text.slice(end, index), href: null });
    parts.push({ text: address, href });
    end = index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: null });
  return parts;
}

/** @returns null for what is no address. Without `URL.parse`, which browsers have only had since 2024 */
function hrefOf(address: string): string | null {
  try {
    return new URL(address).href;
  } catch {
    return null;
  }
}

/** A closing bracket belongs to an address that has the opening one, as in Wikipedia's. */
function withoutPunctuation(found: string): string {
  const address = found.replace(PUNCTUATION, '');
  return address.includes('(') && found[address.length] === ')' ? `${address})` : address;
}
