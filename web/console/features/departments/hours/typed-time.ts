const WITH_SIGN = /^(\d{1,2})(?:\D+(\d{1,2})?)?$/;
const BARE = /^(\d{1,2})(\d{2})$/;

/** @param text hours and minutes of a day of 24 hours, with any sign between them or none: `9`, `9h`, `9:30`, `0930` */
export function parseTime(text: string): string | null {
  const [, hours = '', minutes = '0'] = WITH_SIGN.exec(text.trim()) ?? BARE.exec(text.trim()) ?? [];
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59) return null;
  return `${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}`;
}
