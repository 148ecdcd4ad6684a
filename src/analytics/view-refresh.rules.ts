/** A refresh of 1 s is followed by a pause of 9 s, so refreshes take at most a tenth of the database's time. */
export const PAUSE_FACTOR = 9;

/**
 * @param durationMs how long a refresh takes
 * @param ageMs the time since the last refresh began
 * @returns for how many more milliseconds no refresh may begin
 */
export const remainingPauseMs = (durationMs: number, ageMs: number): number =>
  Math.max(0, (1 + PAUSE_FACTOR) * durationMs - ageMs);
