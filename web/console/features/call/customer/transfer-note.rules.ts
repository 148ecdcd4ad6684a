/** An entry of the timeline: only `transferred` has a note. */
export interface TransferEntry {
  type: string;
  note?: string | null;
}

/** @returns the note of the last transfer; null without one */
export function lastTransferNote(timeline: readonly TransferEntry[]): string | null {
  return timeline.findLast(({ type }) => type === 'transferred')?.note ?? null;
}
