import { useEffect, useState } from 'preact/hooks';
import type { ApiError } from '../../shared/api/api-error';
import { useRequest } from './use-request';

/** How long a press can be taken back. */
export const UNDO_MS = 3000;

export interface Undoable {
  /** Device time at which the action is carried out, in milliseconds; null unless a press can still be taken back. */
  at: number | null;
  isBusy: boolean;
  problem: ApiError | null;
  /** Of the button. A second press does not wait. */
  press: () => void;
  undo: () => void;
}

/**
 * An action that is carried out a moment after its button was pressed, because it cannot be undone afterwards. It is
 * also carried out if the customer closes the page in that time. If the screen changes, they decide again.
 */
export function useUndoable(action: () => Promise<void>): Undoable {
  const [at, setAt] = useState<number | null>(null);
  const { isBusy, problem, run } = useRequest();
  const carryOut = () => {
    setAt(null);
    run(action);
  };
  useEffect(() => {
    if (at === null) return undefined;
    const timer = setTimeout(carryOut, at - Date.now());
    addEventListener('pagehide', carryOut);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', carryOut);
    };
  }, [at]);
  const press = () => {
    if (at !== null) carryOut();
    else if (!isBusy) setAt(Date.now() + UNDO_MS);
  };
  return { at, isBusy, problem, press, undo: () => setAt(null) };
}
