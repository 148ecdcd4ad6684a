import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { ApiError } from '../../../shared/api/client';
import { useUnsaved } from '../unsaved/use-unsaved';
import { FieldSentences, loadFieldTranslator, loadIncompleteSentences } from './field-sentences';
import { incompleteFields } from './incomplete-fields';
import { shownFieldOf } from './shown-field';

interface Save<Values, Result> {
  form: UseFormReturnType<Values>;
  /** Sends the values. @throws ApiError or FieldSentences, whose fields are shown at the fields of the form */
  send: (values: Values) => Promise<Result>;
  /** What the service has made of the values. It replaces those that have not been changed since they were sent. */
  stored?: (result: Result) => Partial<Values>;
  /** After it has succeeded. */
  done?: (result: Result) => unknown;
}

/**
 * What saves a form. What was typed stays there when the service refuses it or the login has expired.
 * @returns `error`: what no field of the form explains
 */
export function useSave<Values extends object, Result>({ form, send, stored, done }: Save<Values, Result>) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isDirty = form.isDirty();
  const forgetChanges = useUnsaved(isDirty);
  /** Compares with what was sent: what has been typed since then is not saved. */
  const noteSaved = (sent: Values, result: Result) => {
    form.resetDirty(sent);
    const made = stored?.(result) ?? {};
    const unchanged = Object.entries(made).filter(([field]) => !form.isDirty(field));
    form.setValues(Object.fromEntries(unchanged) as Partial<Values>);
    form.resetDirty({ ...sent, ...made });
    if (!form.isDirty()) forgetChanges();
  };
  const save = async (values: Values, shown: ParentNode): Promise<void> => {
    setBusy(true);
    setError(null);
    const incomplete = incompleteFields(shown.querySelectorAll('input'));
    try {
      if (incomplete.length > 0) throw await loadIncompleteSentences(incomplete);
      const result = await send(values);
      // Before `done`, which may lead to another page.
      noteSaved(values, result);
      await done?.(result);
    } catch (refusal) {
      const isShown = await showAtFields(form, refusal, shown);
      setError(isShown ? null : refusal);
    } finally {
      setBusy(false);
    }
  };
  return {
    isBusy,
    error,
    isDirty,
    submit: form.onSubmit((values, event) => void save(values, event?.currentTarget ?? document)),
  };
}

/** @returns whether the fields of the form show all that the service refused */
async function showAtFields<Values extends object>(
  form: UseFormReturnType<Values>,
  refusal: unknown,
  shown: ParentNode,
): Promise<boolean> {
  const nodeOf = (field: string) => shown.querySelector<HTMLElement>(`[data-path="${field}"]`);
  const entries = await sentencesOf(refusal, (field) => nodeOf(field)?.dataset['unit'] === 'seconds');
  if (entries.length === 0) return false;
  const values = form.getValues();
  const fields = entries.flatMap(([path, sentence]) => {
    const field = shownFieldOf(path, values, (name) => nodeOf(name) !== null);
    if (field !== null) form.setFieldError(field, sentence);
    return field ?? [];
  });
  if (fields[0]) show(nodeOf(fields[0]));
  return fields.length === entries.length;
}

/** @returns what is wrong with which field */
async function sentencesOf(
  refusal: unknown,
  isDuration: (path: string) => boolean,
): Promise<[path: string, sentence: string][]> {
  if (refusal instanceof FieldSentences) return Object.entries(refusal.fields);
  const entries = refusal instanceof ApiError ? Object.entries(refusal.fields) : [];
  if (entries.length === 0) return [];
  const translate = await loadFieldTranslator();
  return entries.map(([path, sentences]) => [path, translate(sentences, isDuration(path))]);
}

/** In a long form the field may be out of sight. What is wrong with a group of fields stands at its beginning. */
function show(field: HTMLElement | null): void {
  field?.focus();
  if (field && field.offsetHeight > innerHeight / 2)
    field.firstElementChild?.scrollIntoView({ block: 'center' });
}
