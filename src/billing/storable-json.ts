/** Deeper than this nothing is kept: PostgreSQL, too, takes only so many levels. */
const MAX_DEPTH = 50;

const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/**
 * Parsed JSON as PostgreSQL's jsonb can hold it: what it cannot (U+0000, half a surrogate pair, endless
 * nesting) is replaced by U+FFFD. A gateway is never told that we could not keep what it sent.
 */
export function toStorableJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '\uFFFD';
  if (Array.isArray(value)) return value.map((item) => toStorableJson(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storableText(key), toStorableJson(item, depth + 1)]),
  );
}
