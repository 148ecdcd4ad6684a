/** Assumed handle time while a department has completed no call yet, in seconds. */
const DEFAULT_HANDLE_TIME = 180;

export interface ServiceRate {
  /** Mean duration of the department's recent completed calls, in seconds; null without any. */
  mean_handle_time: number | null;
  /** Its active members who are online or busy. */
  online_agents: number;
}

/** How long the customer at `position` (1 is next) will wait, in seconds, rounded up. */
export function estimateWait(position: number, pace: ServiceRate): number {
  const handleTime = pace.mean_handle_time ?? DEFAULT_HANDLE_TIME;
  return Math.ceil((position * handleTime) / Math.max(1, pace.online_agents));
}
