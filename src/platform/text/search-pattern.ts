/**
 * A pattern for LIKE that finds `text` anywhere, its own % and _ taken literally; nothing to search for
 * gives undefined.
 */
export function searchPattern(text: string | undefined): string | undefined {
  return text ? `%${text.replace(/[\\%_]/g, '\\$&')}%` : undefined;
}
