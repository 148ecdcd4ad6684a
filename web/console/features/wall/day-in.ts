/** @param zone IANA. @returns the day there, as `2026-01-31` */
export function dayIn(zone: string, now = new Date()): string {
  // The Swedish form of dates is that of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(now);
}
