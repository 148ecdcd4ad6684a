/** PostgreSQL's text cannot hold U+0000, and no honest input has it. */
export class NulByteError extends Error {
  constructor(readonly field: string) {
    super(`${field} contains NUL`);
  }
}

const DEEPEST = 20;

/**
 * A copy of parsed JSON with every string trimmed.
 * @throws NulByteError naming the top-level field in which a NUL byte stands
 */
export function cleanInput(value: unknown, field = 'body', depth = 0): unknown {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new NulByteError(field);
    return value.trim();
  }
  if (typeof value !== 'object' || value === null || depth >= DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => cleanInput(item, field, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key.includes('\0')) throw new NulByteError(field);
      return [key, cleanInput(item, depth === 0 ? key : field, depth + 1)];
    }),
  );
}
