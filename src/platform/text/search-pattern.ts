/**
 * The LIKE pattern that matches `text` anywhere, with its % and _ escaped.
 * @returns undefined when there is no text
 */
export function searchPattern(text: string | undefined): string | undefined {
  return text ? `%${text.replace(/[\\%_]/g, '\\$&')}%` : undefined;
}
