import { oneLine } from '../../platform/text/one-line';

/**
 * Appends an entry to a call's manager notes. Line breaks in the text or the author's name are removed, so that one
 * entry cannot imitate another author's.
 */
export function appendEntry(notes: string | null, at: Date, author: string, text: string): string {
  const entry = `[${at.toISOString()}] ${oneLine(author)}: ${oneLine(text)}`;
  return notes ? `${notes}\n${entry}` : entry;
}
