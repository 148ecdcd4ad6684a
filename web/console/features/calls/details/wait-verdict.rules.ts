interface Waited {
  /** Seconds. */
  wait: number;
  estimate: number;
  range: { low: number; high: number } | null;
}

/** How far a wait may be from an estimate without a range: a minute, or half of the estimate. */
const TOLERANCE_SECONDS = 60;
const TOLERANCE_SHARE = 0.5;

/** How a wait compares with what the customer was told when joining. */
export function waitVerdict({ wait, estimate, range }: Waited): 'as_said' | 'longer' | 'shorter' {
  const tolerance = Math.max(TOLERANCE_SECONDS, estimate * TOLERANCE_SHARE);
  const { low, high } = range ?? { low: estimate - tolerance, high: estimate + tolerance };
  if (wait > high) return 'longer';
  return wait < low ? 'shorter' : 'as_said';
}

/**
 * Whether the wait that was announced at the join still lasts. A call that waits again after a transfer has had its first wait.
 */
export const isFirstWait = ({ status, wait_time }: { status: string; wait_time: number | null }): boolean =>
  status === 'queued' && wait_time === null;
