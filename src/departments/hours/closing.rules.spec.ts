import { closingStep, closingToPlan, planClosing } from './closing.rules';
import type { WallInterval, ZonedHours } from './opening-hours';

const CLOSING = new Date('2026-05-18T16:00:00.000Z');
const minutesBefore = (minutes: number) => new Date(CLOSING.getTime() - minutes * 60_000);
const HOURS: ZonedHours = {
  timezone: 'Europe/Berlin',
  weekly: { mon: [['09:00', '18:00']], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] },
  exceptions: [],
};

it.each([
  [null, 0, 'plan'],
  [CLOSING, 11, 'plan'],
  [CLOSING, 10, 'announce'],
  [CLOSING, 1, 'announce'],
  [CLOSING, 0, 'close'],
  [CLOSING, -600, 'close'],
] as const)('a closing at %s, %d minutes before four o’clock: %s', (closingAt, minutes, step) => {
  expect(closingStep(closingAt, minutesBefore(minutes))).toBe(step);
});

it.each([
  [60, CLOSING],
  // A notice of less than ten minutes is due at once.
  [5, CLOSING],
  [0, new Date('2026-05-25T16:00:00.000Z')],
])('the closing after %d minutes before closing is announced ten minutes before', (minutes, closing_at) => {
  expect(planClosing(HOURS, minutesBefore(minutes))).toEqual({
    closing_at,
    closing_deadline: new Date(closing_at.getTime() - 600_000),
  });
});

it('looks again at a department that never closes', () => {
  const day: WallInterval[] = [['00:00', '24:00']];
  const weekly = { mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day };
  expect(planClosing({ ...HOURS, weekly }, CLOSING)).toEqual({
    closing_at: null,
    closing_deadline: minutesBefore(-24 * 60),
  });
});

it.each([
  [{ opening_hours: HOURS, on_close: 'end' as const }, CLOSING],
  [{ opening_hours: HOURS, on_close: 'keep' as const }, null],
  [{ opening_hours: null, on_close: 'end' as const }, null],
])('is planned only if closing ends calls', (department, closing_deadline) => {
  expect(closingToPlan(department, CLOSING)).toEqual({ closing_at: null, closing_deadline });
});
