/** PostgreSQL's text cannot hold U+0000, and no honest input has it. */
export class NulByteError extends Error {
  constructor(readonly field: string) {
    super(`${field} contains NUL`);
  }
}

const DEEPEST = 20;

/**
 * A copy of parsed JSON with every string trimmed, unless `trim` is false.
 * @throws NulByteError naming the top-level field in which a NUL byte stands
 */
export function cleanInput(value: unknown, trim = true, field = 'body', depth = 0): unknown {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new NulByteError(field);
    return trim ? value.trim() : value;
  }
  if (typeof value !== 'object' || value === null || depth >= DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => cleanInput(item, trim, field, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key.includes('\0')) throw new NulByteError(field);
      return [key, cleanInput(item, trim, depth === 0 ? key : field, depth + 1)];
    }),
  );
}
