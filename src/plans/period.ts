/** The same day and time of the next month (UTC), or that month's last day when it is shorter. */
export function addMonth(from: Date): Date {
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + 1);
  // 31 January + 1 month overflows into March: step back to the last day of February.
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0);
  return to;
}

/** The calendar month (UTC) of the moment, from its first to the next one's. */
export function monthOf(moment: Date): { start: Date; end: Date } {
  const start = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth()));
  return { start, end: addMonth(start) };
}
