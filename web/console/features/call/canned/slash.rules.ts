/** A text that can be inserted. */
export interface Reply {
  title: string;
  text: string;
  shortcut: string | null;
}

/** What is typed behind a slash. */
export interface Slash {
  /** The position of the slash. */
  start: number;
  query: string;
}

/** More would not be read while somebody types. */
const MAX_SHOWN = 8;

const SLASH = /(?:^|\s)\/([\p{L}\p{N}_-]*)$/u;

/** @returns the slash before the caret, if it begins a word: not the one of an address or a date */
export function slashBefore(text: string, caret: number): Slash | null {
  const found = SLASH.exec(text.slice(0, caret));
  const query = found?.[1];
  return query === undefined ? null : { start: caret - query.length - 1, query };
}

/** @returns the replies that match, those first whose shortcut or title begins with the query; case and accents do not matter */
export function matchingReplies<R extends Reply>(replies: readonly R[], query: string): R[] {
  const wanted = folded(query);
  return replies
    .map((reply) => [rankOf(reply, wanted), reply] as const)
    .filter(([rank]) => rank < Infinity)
    .sort(([a], [b]) => a - b)
    .slice(0, MAX_SHOWN)
    .map(([, reply]) => reply);
}

/** @returns the text with the insertion instead of the slash and what follows it to the caret, and the position after it */
export function replaceSlash(text: string, { start, query }: Slash, insertion: string) {
  const end = start + 1 + query.length;
  return {
    text: `${text.slice(0, start)}${insertion}${text.slice(end)}`,
    position: start + insertion.length,
  };
}

function rankOf({ title, text, shortcut }: Reply, wanted: string): number {
  const name = folded(shortcut ?? '');
  if (wanted !== '' && name === wanted) return 0;
  if (name !== '' && name.startsWith(wanted)) return 1;
  if (folded(title).startsWith(wanted)) return 2;
  if (folded(title).includes(wanted) || name.includes(wanted)) return 3;
  return folded(text).includes(wanted) ? 4 : Infinity;
}

const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
