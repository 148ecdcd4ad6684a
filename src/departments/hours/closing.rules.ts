import type { OnClose, OpeningHours, ZonedHours } from './opening-hours';
import { closesAt } from './opening-hours.rules';

/** How long before closing the waiting customers are informed. */
export const CLOSING_NOTICE_MS = 10 * 60_000;

/** Exceptions become relevant as they come nearer, so a department that never closes is looked at again. */
const REPLAN_MS = 24 * 60 * 60_000;

/** When a department closes next, and when the next step towards that is due. Null: not known yet, and nothing to do. */
export interface ClosingPlan {
  closing_at: Date | null;
  closing_deadline: Date | null;
}

type ClosingStep = 'plan' | 'announce' | 'close';

/** What to do when the closing deadline of a department has passed. */
export function closingStep(closingAt: Date | null, now: Date): ClosingStep {
  if (closingAt === null) return 'plan';
  if (closingAt <= now) return 'close';
  return closingAt.getTime() - CLOSING_NOTICE_MS <= now.getTime() ? 'announce' : 'plan';
}

/** The plan for a department whose hours have changed: it is made at once, by the sweeper. */
export const closingToPlan = (
  { opening_hours, on_close }: { opening_hours: OpeningHours | null; on_close: OnClose },
  now: Date,
): ClosingPlan => ({
  closing_at: null,
  closing_deadline: opening_hours !== null && on_close === 'end' ? now : null,
});

/** The plan for the first closing after `now`. */
export function planClosing(hours: ZonedHours, now: Date): ClosingPlan {
  const closing_at = closesAt(hours, now);
  const deadline = closing_at ? closing_at.getTime() - CLOSING_NOTICE_MS : now.getTime() + REPLAN_MS;
  return { closing_at, closing_deadline: new Date(deadline) };
}
