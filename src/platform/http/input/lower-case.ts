import { Transform } from 'class-transformer';

/** Converts a text to lower case before it is checked, so that its case does not matter. */
export const LowerCase = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value));
