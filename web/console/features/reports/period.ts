export const PERIODS = ['today', 'yesterday', 'week', 'days30', 'month', 'own'] as const;

export type PeriodName = (typeof PERIODS)[number];

/** Dates as the API takes them: YYYY-MM-DD, in the zone of the company. */
export interface PeriodDates {
  date_from?: string;
  date_to?: string;
}

/**
 * @param today in the zone of the company; not needed for the last 30 days, which are the default of the service
 * @param own dates that the reader has chosen
 */
export function datesOf(period: PeriodName, today: string, own: { from: string; to: string }): PeriodDates {
  switch (period) {
    case 'today':
      return { date_from: today, date_to: today };
    case 'yesterday': {
      const day = shiftDays(today, -1);
      return { date_from: day, date_to: day };
    }
    case 'week':
      return { date_from: shiftDays(today, -6), date_to: today };
    case 'days30':
      return {};
    case 'month':
      return { date_from: `${today.slice(0, 8)}01`, date_to: today };
    default:
      return { date_from: own.from, date_to: own.to };
  }
}

/** The longest period that the service reports on. */
const MAX_DAYS = 1096;

/** @returns why the dates that the reader has chosen are no period; null if they are */
export function problemOf(own: { from: string; to: string }): 'incomplete' | 'reversed' | 'too_long' | null {
  if (!own.from || !own.to) return 'incomplete';
  const days = (Date.parse(own.to) - Date.parse(own.from)) / DAY_MS + 1;
  if (days < 1) return 'reversed';
  return days > MAX_DAYS ? 'too_long' : null;
}

/** The kind of days that trends can show without too many or too few points. */
export function intervalOf(firstDay: string, lastDay: string): 'day' | 'week' | 'month' {
  const days = (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS;
  if (days <= 62) return 'day';
  return days <= 366 ? 'week' : 'month';
}

const DAY_MS = 86_400_000;

/** @param day YYYY-MM-DD */
function shiftDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
