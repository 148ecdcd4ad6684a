/** Input that no honest client sends and that nothing further in could take. */
export class UncleanInputError extends Error {
  constructor(
    readonly field: string,
    readonly problem: string,
  ) {
    super(`${field} ${problem}`);
  }
}

/** PostgreSQL's text cannot hold U+0000. */
const NUL_PROBLEM = 'must not contain NUL';

/** Far beyond what any body needs; a few thousand levels would overflow the stack of whoever walks them. */
const DEEPEST = 20;

/**
 * A copy of parsed JSON with every string trimmed, unless `trim` is false.
 * @throws UncleanInputError naming the top-level field that holds a NUL byte or is nested too deeply
 */
export function cleanInput(value: unknown, trim = true, field = 'body', depth = 0): unknown {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new UncleanInputError(field, NUL_PROBLEM);
    return trim ? value.trim() : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST)
    throw new UncleanInputError(field, `must not be nested deeper than ${DEEPEST} levels`);
  if (Array.isArray(value)) return value.map((item) => cleanInput(item, trim, field, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key.includes('\0')) throw new UncleanInputError(field, NUL_PROBLEM);
      return [key, cleanInput(item, trim, depth === 0 ? key : field, depth + 1)];
    }),
  );
}
