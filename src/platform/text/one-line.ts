/**
 * Text from data on one line: line breaks, other control characters and marks that turn the direction of
 * writing become blanks, so that a name can neither begin a header nor pass for a paragraph of its own.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\s]+/gu, ' ').trim();
}
