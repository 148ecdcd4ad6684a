import { Transform } from 'class-transformer';

const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;

/** The accepted forms of ISO 8601: a date, or a date with a time and optionally a zone; no week or ordinal dates. */
export const ISO_TIMESTAMP = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

export const isDateOnly = (text: string): boolean => DATE_ONLY.test(text);

/** A + that is not encoded in a query is decoded as a space. */
const SPACE_BEFORE_OFFSET = / (?=\d{2}:?\d{2}$)/;

/** Reads a space before the offset of a query parameter's time as the + that the client meant. */
export const PlusForSpace = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && value.includes('T') ? value.replace(SPACE_BEFORE_OFFSET, '+') : value,
  );

/** Parses a text that matches ISO_TIMESTAMP. Without a zone it is UTC, whatever the server's time zone. */
export function parseTimestamp(text: string): Date {
  const hasZone = /T.*(Z|[+-]\d{2}:?\d{2})$/.test(text);
  return new Date(isDateOnly(text) || hasZone ? text : `${text}Z`);
}
