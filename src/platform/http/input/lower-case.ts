import { Transform } from 'class-transformer';

const lowerCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

/** Converts a text, or each text of an array, to lower case before it is checked, so that its case does not matter. */
export const LowerCase = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    Array.isArray(value) ? value.map(lowerCase) : lowerCase(value),
  );
