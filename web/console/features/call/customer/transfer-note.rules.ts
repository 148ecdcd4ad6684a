/** An entry of the timeline: only `transferred` has a note. */
export interface TransferEntry {
  type: string;
  user_name: string | null;
  note?: string | null;
}

/** @returns the note of the last transfer and who has written it; null without one */
export function lastTransferNote(
  timeline: readonly TransferEntry[],
): { text: string; name: string | null } | null {
  const last = timeline.findLast(({ type }) => type === 'transferred');
  return last?.note ? { text: last.note, name: last.user_name } : null;
}
