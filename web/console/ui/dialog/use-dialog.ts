import { useEffect, useMemo, useRef, useState } from 'react';
import { leave } from '../unsaved/unsaved-forms';
import type { DialogAround } from './dialog-context';

/**
 * What the parts of a dialog know of it.
 * @param isDirty whether the component that shows the dialog has unsaved changes. @param onClose closes it without a question
 */
export function useDialog(isDirty: boolean, onClose: () => void): DialogAround {
  const [unsaved] = useState(() => new Set<object>());
  const latest = useRef({ isDirty, onClose });
  useEffect(() => {
    latest.current = { isDirty, onClose };
  });
  return useMemo(
    () => ({
      unsaved,
      close: () => leave(() => latest.current.onClose(), latest.current.isDirty || unsaved.size > 0),
    }),
    [unsaved],
  );
}
