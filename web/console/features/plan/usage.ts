/** From this share of a limit on, its end is near. */
const NEAR_PERCENT = 80;

export interface UsageShare {
  /** 0 to 100. */
  percent: number;
  left: 'plenty' | 'little' | 'none';
}

/** @returns null without a limit */
export function usageShare(used: number, limit: number | null): UsageShare | null {
  if (limit === null) return null;
  if (used >= limit) return { percent: 100, left: 'none' };
  const percent = (used / limit) * 100;
  return { percent, left: percent >= NEAR_PERCENT ? 'little' : 'plenty' };
}
