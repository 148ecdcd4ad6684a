import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { ApiError } from '../../../shared/api/client';

interface Save<Values, Result> {
  form: UseFormReturnType<Values>;
  /** Sends the values. @throws ApiError, whose fields are shown at the fields of the form */
  send: (values: Values) => Promise<Result>;
  /** After it has succeeded. */
  done?: (result: Result) => unknown;
}

/**
 * What saves a form. What was typed stays there when the service refuses it or the login has expired.
 * @returns `error`: what no field of the form explains
 */
export function useSave<Values extends object, Result>({ form, send, done }: Save<Values, Result>) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async (values: Values): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const result = await send(values);
      await done?.(result);
    } catch (refusal) {
      const rest = showAtFields(form, refusal);
      setError(rest ? refusal : null);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, submit: form.onSubmit((values) => void save(values)) };
}

/** @returns whether something is left that no field shows */
function showAtFields<Values extends object>(form: UseFormReturnType<Values>, refusal: unknown): boolean {
  if (!(refusal instanceof ApiError)) return true;
  const values = form.getValues();
  const entries = Object.entries(refusal.fields);
  let isComplete = entries.length > 0;
  let first: string | null = null;
  for (const [path, messages] of entries) {
    const field = fieldOf(path, values);
    if (field === null) isComplete = false;
    else form.setFieldError(field, messages.join('. '));
    first ??= field;
  }
  // In a long form it may be out of sight.
  if (first !== null) form.getInputNode(first)?.focus();
  return !isComplete;
}

/** @param path the service may name a wrapper: `department.name`. @returns the field of the form; null if it has none */
function fieldOf(path: string, values: object): string | null {
  const steps = path.split('.');
  const first = steps.findIndex((step) => step in values);
  return first === -1 ? null : steps.slice(first).join('.');
}
