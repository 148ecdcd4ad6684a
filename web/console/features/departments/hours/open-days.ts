import { dayIn } from '../../../ui/wall-time';

interface OpenPeriod {
  opens_at: string;
  closes_at: string;
}

export interface OpenDay {
  /** Of the day, like `2026-12-24`. */
  date: string;
  periods: OpenPeriod[];
}

/** @returns the periods by the day on which they begin in the zone of the hours */
export function openDays(periods: readonly OpenPeriod[], timeZone: string): OpenDay[] {
  const days = new Map<string, OpenPeriod[]>();
  for (const period of periods) {
    const date = dayIn(timeZone, new Date(period.opens_at));
    days.set(date, [...(days.get(date) ?? []), period]);
  }
  return [...days].map(([date, of]) => ({ date, periods: of }));
}
