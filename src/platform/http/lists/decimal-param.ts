import { Transform } from 'class-transformer';

/** Long numbers lose digits as a JavaScript number; the parameters have a maximum far below. */
const DECIMAL = /^-?\d+$/;

/** Converts the text of a query parameter to an integer, as `parseDecimal` does. */
export const DecimalParam = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => parseDecimal(value));

/**
 * The integer that a text of decimal digits represents: `Number` would accept `0x10` and `1e1`, too.
 * @returns NaN for any other text; a value that is not a text unchanged. `@IsInt` rejects both.
 */
export function parseDecimal(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return DECIMAL.test(value) ? Number(value) : Number.NaN;
}
