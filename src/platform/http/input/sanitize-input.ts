/** Input that contains NUL or is nested too deeply. */
export class UnsafeInputError extends Error {
  constructor(
    readonly field: string,
    readonly problem: string,
  ) {
    super(`${field} ${problem}`);
  }
}

/** PostgreSQL's text cannot hold U+0000. */
const NUL_PROBLEM = 'must not contain NUL';

/** More than any body needs, and far below the few thousand levels that would overflow the stack. */
const MAX_DEPTH = 20;

/**
 * Copies parsed JSON with every string trimmed, unless `trim` is false.
 * @throws UnsafeInputError with the top-level field that contains NUL or is nested too deeply
 */
export function sanitizeInput(value: unknown, trim = true, field = 'body', depth = 0): unknown {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new UnsafeInputError(field, NUL_PROBLEM);
    return trim ? value.trim() : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH)
    throw new UnsafeInputError(field, `must not be nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return value.map((item) => sanitizeInput(item, trim, field, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key.includes('\0')) throw new UnsafeInputError(field, NUL_PROBLEM);
      return [key, sanitizeInput(item, trim, depth === 0 ? key : field, depth + 1)];
    }),
  );
}
