/** The same day and time of the next month (UTC), or the last day of that month if it is shorter. */
export function addMonth(from: Date): Date {
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + 1);
  // 31 January plus a month overflows into March; day 0 is the last day of February.
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0);
  return to;
}

/** The calendar month (UTC) of a moment: its first instant and that of the next month. */
export function monthOf(moment: Date): { start: Date; end: Date } {
  const start = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth()));
  return { start, end: addMonth(start) };
}
