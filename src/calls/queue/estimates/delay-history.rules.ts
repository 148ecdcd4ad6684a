/** The waits of the calls that were answered last, the latest one at the end; of those that joined while all agents were busy. */
export type DelayHistory = readonly number[];

const MAX_WAITS = 10;

export function withWait(history: DelayHistory, waited: number): DelayHistory {
  return [...history.slice(1 - MAX_WAITS), waited];
}

/** The last customer to enter service (LES of Ibrahim & Whitt). @returns seconds; null without any */
export function lastWait(history: DelayHistory): number | null {
  return history.at(-1) ?? null;
}

/** The mean of the last customers to enter service (Avg-LES). @returns seconds; null without any */
export function meanWait(history: DelayHistory): number | null {
  return history.length === 0 ? null : history.reduce((sum, wait) => sum + wait, 0) / history.length;
}
