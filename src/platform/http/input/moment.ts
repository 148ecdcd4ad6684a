const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;

/** ISO 8601 as callers may write it: a date, or a date with a time and perhaps its zone. No weeks, no day numbers. */
export const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

export const isDateOnly = (text: string): boolean => DATE_ONLY.test(text);

/** The moment that a text of the form MOMENT means; without a zone it is UTC, wherever the server stands. */
export function momentOf(text: string): Date {
  const hasZone = /T.*(Z|[+-]\d{2}:?\d{2})$/.test(text);
  return new Date(isDateOnly(text) || hasZone ? text : `${text}Z`);
}
