import { toSingleLine } from '../../platform/text/single-line';

/**
 * A manager's notes with one more entry at their end. Whatever its text and its author's name hold, it is
 * one line, so that nobody can write an entry in somebody else's name.
 */
export function withEntry(notes: string | null, at: Date, author: string, text: string): string {
  const entry = `[${at.toISOString()}] ${toSingleLine(author)}: ${toSingleLine(text)}`;
  return notes ? `${notes}\n${entry}` : entry;
}
