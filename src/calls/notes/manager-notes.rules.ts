import { toSingleLine } from '../../platform/text/single-line';

/** All that can begin a new line, also in programs that show the notes. */
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * Appends an entry to a call's manager notes. Its first line begins with the time and the author, and its further lines are
 * indented, so that no line can imitate an entry of another author.
 */
export function appendEntry(notes: string | null, at: Date, author: string, text: string): string {
  const entry = `[${at.toISOString()}] ${toSingleLine(author)}: ${linesOf(text).join('\n  ')}`;
  return notes ? `${notes}\n${entry}` : entry;
}

/** Without blank lines at the beginning and the end. */
function linesOf(text: string): string[] {
  const lines = text.split(LINE_BREAK).map(toSingleLine);
  const first = lines.findIndex((line) => line !== '');
  const last = lines.findLastIndex((line) => line !== '');
  return first === -1 ? [] : lines.slice(first, last + 1);
}
