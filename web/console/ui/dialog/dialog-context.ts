import { createContext } from 'react';

/** The dialog around a form. */
export interface DialogAround {
  /** The forms in it whose changes are not saved. */
  readonly unsaved: Set<object>;
  /** Closes it, as Escape does. */
  close: () => void;
}

export const DialogContext = createContext<DialogAround | null>(null);
