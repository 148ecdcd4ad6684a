/**
 * Normalises a model's text: line breaks become LF, control characters other than those and tabs are removed
 * (PostgreSQL rejects NUL), and the result is trimmed and cut to `maxLength` UTF-16 code units.
 */
export function plainText(text: string, maxLength: number): string {
  const breaks = text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n');
  const clean = breaks.replace(/(?![\n\t])\p{Cc}/gu, '');
  return clean.trim().slice(0, maxLength).toWellFormed();
}
