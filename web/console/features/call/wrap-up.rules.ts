import type { CallItem } from '../../../shared/socket';

/** The wrap-up begins with the end of the call, but the two times can be read from different clocks. */
const TOLERANCE_MS = 5000;

/**
 * @param calls the calls of the agent that ended last
 * @param since when the wrap-up began. @returns null if it follows another call, for example one that the agent has handed over
 */
export function callOfWrapUp<Call extends Pick<CallItem, 'completed_at'>>(
  calls: readonly Call[],
  since: string | null,
): Call | null {
  if (since === null) return null;
  const isNear = ({ completed_at }: Call) =>
    completed_at !== null && Math.abs(Date.parse(completed_at) - Date.parse(since)) <= TOLERANCE_MS;
  return calls.find(isNear) ?? null;
}
