import type { Department } from '../departments/department.entity';
import { closingToPlan } from '../departments/hours/closing.rules';
import type { OpeningHours, WallInterval } from '../departments/hours/opening-hours';

const MORNING: WallInterval = ['08:00', '12:00'];
const WEEKDAY = [MORNING, ['13:00', '18:00']] satisfies WallInterval[];

const HOURS: OpeningHours = {
  timezone: null,
  weekly: {
    mon: WEEKDAY,
    tue: WEEKDAY,
    wed: WEEKDAY,
    thu: WEEKDAY,
    fri: WEEKDAY,
    sat: [MORNING],
    sun: [],
  },
  exceptions: [],
};

/** The settings of a department that is open in office hours, except for the next New Year's Day. */
export function officeHours(now: Date): Partial<Department> {
  const date = `${now.getUTCFullYear() + 1}-01-01`;
  const opening_hours = { ...HOURS, exceptions: [{ date, intervals: [], label: 'Ano-novo' }] };
  return { opening_hours, on_close: 'end', ...closingToPlan({ opening_hours, on_close: 'end' }, now) };
}
