/** Levels of nesting that are kept. PostgreSQL limits the depth of jsonb by its stack. */
const MAX_DEPTH = 50;

const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/**
 * Parsed JSON in a form that PostgreSQL's jsonb can store: U+0000, unpaired surrogates and deeper nesting
 * are replaced by U+FFFD, so that no notification is refused because of its content.
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
