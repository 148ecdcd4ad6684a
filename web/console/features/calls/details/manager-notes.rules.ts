export interface ManagerNote {
  /** ISO 8601; null for a line that the service has not written in its form. */
  at: string | null;
  author: string | null;
  text: string;
}

/** `[2026-01-31T12:00:00.000Z] Ana Souza: Called back` */
const ENTRY = /^\[(\d{4}-\d\d-\d\dT[\d:.]+Z)\] (.*?): (.*)$/s;

/** Before each further line of an entry. */
const INDENT = '\n  ';

/** @returns the entries, the oldest first */
export function parseManagerNotes(notes: string | null | undefined): ManagerNote[] {
  if (!notes) return [];
  return notes.split(/\n(?! {2})/).map((entry) => {
    const [, at = null, author = null, text = entry] = ENTRY.exec(entry) ?? [];
    return { at, author, text: text.replaceAll(INDENT, '\n') };
  });
}
