import { useEffect, useRef } from 'react';
import { addShortcut } from './shortcuts';

interface ShortcutOptions {
  /** A value of `KeyboardEvent.key`, for example `a`, or a letter with `shift+`. */
  keys: string;
  /** What it does, for the list of shortcuts. */
  label: string;
  action: () => void;
  /** By default true. A disabled shortcut is not listed. */
  isEnabled?: boolean;
  /** It changes nothing, so it acts without the pause before it that the others need. */
  onlyOpens?: boolean;
}

/** A key that does something while the component is shown, but not while somebody types or a dialog is open. */
export function useShortcut({
  keys,
  label,
  action,
  isEnabled = true,
  onlyOpens = false,
}: ShortcutOptions): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(
    () => (isEnabled ? addShortcut({ keys, label, onlyOpens, action: () => latest.current() }) : undefined),
    [keys, label, isEnabled, onlyOpens],
  );
}
