/** The days of a week, in the order of ISO 8601. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export type Weekday = (typeof WEEKDAYS)[number];

export const START_OF_DAY = '00:00';

/** The local time at which a day ends, as an end of hours. */
export const END_OF_DAY = '24:00';

/** Local times of one day, "HH:MM": the beginning and the end, which may be END_OF_DAY. */
export type WallInterval = [from: string, to: string];

/** Replaces the weekly hours of one day. No intervals: closed all day. */
export interface HoursException {
  /** YYYY-MM-DD. */
  date: string;
  /** Sorted, without overlaps. */
  intervals: WallInterval[];
  /** What staff call the day, such as a holiday. */
  label: string | null;
}

/** When a department is open, as it is stored. */
export interface OpeningHours {
  /** The IANA name of the time zone; null for that of the company, also after it changes. */
  timezone: string | null;
  /** Sorted, without overlaps. */
  weekly: Record<Weekday, WallInterval[]>;
  /** Sorted by date; each date once. */
  exceptions: HoursException[];
}

/** What happens to the waiting calls of a department that closes: they are served nevertheless, or end. */
export const ON_CLOSE = ['keep', 'end'] as const;

export type OnClose = (typeof ON_CLOSE)[number];

/** Opening hours with their time zone. */
export type ZonedHours = OpeningHours & { timezone: string };

/** @param tenantTimezone the IANA name of the company's time zone */
export const zonedHours = (hours: OpeningHours, tenantTimezone: string): ZonedHours => ({
  ...hours,
  timezone: hours.timezone ?? tenantTimezone,
});
