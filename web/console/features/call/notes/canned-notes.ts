export interface CannedNote {
  title: string;
  text: string;
}

const keyOf = (userId: string) => `vcq-canned-notes ${userId}`;

/** The texts that a user inserts into notes again and again, in this browser. */
export const cannedNotes = {
  read(userId: string): CannedNote[] {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]');
      return Array.isArray(stored) ? stored.filter(isCannedNote) : [];
    } catch {
      return [];
    }
  },
  keep(userId: string, notes: readonly CannedNote[]): void {
    localStorage.setItem(keyOf(userId), JSON.stringify(notes));
  },
};

function isCannedNote(value: unknown): value is CannedNote {
  const { title, text } = (value ?? {}) as Partial<CannedNote>;
  return typeof title === 'string' && typeof text === 'string';
}
