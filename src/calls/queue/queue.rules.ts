/** Seconds assumed while a department has not completed any call. */
const DEFAULT_HANDLE_TIME = 180;

export interface ServiceRate {
  /** Mean duration of the department's recent completed calls, in seconds; null without any. */
  mean_handle_time: number | null;
  /** Active members of the department who are online or busy and have the skills that the call requires. */
  online_agents: number;
}

/**
 * The time by which a waiting call is ordered: calls wait as if they had joined earlier by their priority. So priority
 * ages: a call without priority that has waited longer than the priority is worth is before a new call that has it.
 * @param step seconds that one point of priority is worth
 */
export function rankAt(joinedAt: Date, priority: number, step: number): Date {
  return new Date(joinedAt.getTime() - priority * step * 1000);
}

/** @returns seconds until the customer at `position` (1 is next) is served, rounded up */
export function estimateWait(position: number, rate: ServiceRate): number {
  const handleTime = rate.mean_handle_time ?? DEFAULT_HANDLE_TIME;
  return Math.ceil((position * handleTime) / Math.max(1, rate.online_agents));
}
