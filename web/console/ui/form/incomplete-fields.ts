/** The part of an `HTMLInputElement` that tells what is half typed: of the browser's own fields, and of `DateInput`. */
interface Field {
  readonly validity: Pick<ValidityState, 'badInput'>;
  readonly dataset: Readonly<Record<string, string | undefined>>;
}

/**
 * A date without its time, for example, has an empty value, as if nothing had been typed: an optional field would be sent as
 * none.
 * @param inputs of a form. @returns the fields in which something is half typed
 */
export function incompleteFields(inputs: Iterable<Field>): string[] {
  return Array.from(inputs).flatMap(
    ({ validity, dataset }) => ((validity.badInput || dataset['incomplete']) && dataset['path']) || [],
  );
}
