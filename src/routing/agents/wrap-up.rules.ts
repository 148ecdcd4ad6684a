/** Seconds that a wrap-up may last in all, with its extensions. */
export const MAX_WRAP_UP_SECONDS = 3600;

/** The wrap-up of an agent. */
export interface CurrentWrapUp {
  started_at: Date;
  until: Date;
}

/** Until when the wrap-up lasts when it gets `seconds` more; undefined if that is too long in all. */
export function extendedUntil({ started_at, until }: CurrentWrapUp, seconds: number): Date | undefined {
  const extended = new Date(until.getTime() + seconds * 1000);
  return extended.getTime() - started_at.getTime() <= MAX_WRAP_UP_SECONDS * 1000 ? extended : undefined;
}
