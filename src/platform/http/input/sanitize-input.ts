/** Input that contains a text that cannot be stored, is nested too deeply or has too many values. */
export class UnsafeInputError extends Error {
  constructor(
    readonly field: string,
    readonly problem: string,
  ) {
    super(`${field} ${problem}`);
  }
}

/** More than any body needs, and far below the few thousand levels that would overflow the stack. */
const MAX_DEPTH = 20;

/** Keys of one object. class-transformer compares every key with every other key of its object. */
const MAX_KEYS = 1000;

/** Items of one array. Twice the longest array of a body; some validators compare every item with every other item. */
const MAX_ITEMS = 1000;

/** Values of the whole input. The largest body, a batch of access links with as many skills as fit, has 13,000. */
export const MAX_VALUES = 16_384;

/**
 * Copies parsed JSON with every string trimmed, unless `trim` is false. It stops at the first value beyond the limits,
 * so its duration is bounded, and so is that of everything that processes the copy.
 * @throws UnsafeInputError with the top-level field that contains NUL or an unpaired surrogate, or exceeds a limit
 */
export function sanitizeInput(value: unknown, trim = true): unknown {
  return new InputCopy(trim).copy(value, 'body', 0);
}

class InputCopy {
  private values = 0;

  constructor(private readonly trim: boolean) {}

  copy(value: unknown, field: string, depth: number): unknown {
    if (++this.values > MAX_VALUES)
      throw new UnsafeInputError(field, `must not have more than ${MAX_VALUES} values`);
    if (typeof value === 'string') {
      ensureStorable(value, field);
      return this.trim ? value.trim() : value;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MAX_DEPTH)
      throw new UnsafeInputError(field, `must not be nested deeper than ${MAX_DEPTH} levels`);
    return Array.isArray(value) ? this.copyArray(value, field, depth) : this.copyObject(value, field, depth);
  }

  private copyArray(items: unknown[], field: string, depth: number): unknown[] {
    if (items.length > MAX_ITEMS)
      throw new UnsafeInputError(field, `must not have more than ${MAX_ITEMS} items`);
    return items.map((item) => this.copy(item, field, depth + 1));
  }

  private copyObject(object: object, field: string, depth: number): object {
    if (Object.keys(object).length > MAX_KEYS)
      throw new UnsafeInputError(field, `must not have more than ${MAX_KEYS} keys`);
    return Object.fromEntries(
      Object.entries(object).map(([key, item]) => {
        ensureStorable(key, field);
        return [key, this.copy(item, depth === 0 ? key : field, depth + 1)];
      }),
    );
  }
}

function ensureStorable(text: string, field: string): void {
  // PostgreSQL's text cannot hold U+0000, and an unpaired surrogate would be stored as a replacement character.
  if (text.includes('\0')) throw new UnsafeInputError(field, 'must not contain NUL');
  if (!text.isWellFormed()) throw new UnsafeInputError(field, 'must not contain an unpaired surrogate');
}
