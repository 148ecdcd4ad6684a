export interface ManagerNote {
  /** ISO 8601; null for a line that the service has not written in its form. */
  at: string | null;
  author: string | null;
  text: string;
}

/** `[2026-01-31T12:00:00.000Z] Ana Souza: Called back` */
const ENTRY = /^\[(\d{4}-\d\d-\d\dT[\d:.]+Z)\] (.*?): (.*)$/;

/** @param notes one entry per line. @returns the entries, the oldest first */
export function parseManagerNotes(notes: string | null | undefined): ManagerNote[] {
  if (!notes) return [];
  return notes.split('\n').map((line) => {
    const [, at = null, author = null, text = line] = ENTRY.exec(line) ?? [];
    return { at, author, text };
  });
}
