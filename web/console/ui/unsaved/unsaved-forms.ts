import { signal } from '@preact/signals-core';

/** Those whose changes are not saved. */
const forms = new Set<object>();

/** What is done if the user leaves unsaved changes; null while that is not asked. */
export const leaving = signal<{ leave: () => void } | null>(null);

export const unsavedForms = {
  add: (form: object): void => void forms.add(form),
  remove: (form: object): void => void forms.delete(form),
  exist: (): boolean => forms.size > 0,
};

/** Does it at once, or after the user has agreed to lose what is not saved. */
export function leave(action: () => void, hasUnsaved = unsavedForms.exist()): void {
  if (hasUnsaved) leaving.value = { leave: action };
  else action();
}
