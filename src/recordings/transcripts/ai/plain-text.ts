/**
 * A provider's text as it is stored and answered: line breaks are LF, other control characters than those and tabs
 * are gone (PostgreSQL takes no NUL), and what goes beyond `most` UTF-16 units is cut off.
 */
export function plainText(text: string, most: number): string {
  const breaks = text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n');
  const clean = breaks.replace(/(?![\n\t])\p{Cc}/gu, '');
  return clean.trim().slice(0, most).toWellFormed();
}
