/**
 * Replaces line breaks, other control characters and bidirectional formatting characters with spaces, so that text
 * from users can neither inject a mail header nor look like a separate paragraph.
 */
export function toSingleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\s]+/gu, ' ').trim();
}
