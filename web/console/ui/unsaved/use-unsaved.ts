import { useCallback, useContext, useEffect, useState } from 'react';
import { DialogContext } from '../dialog/dialog-context';
import { unsavedForms } from './unsaved-forms';

/**
 * Has the user asked before the page or the dialog around a form with unsaved changes is left.
 * @returns takes the changes for saved at once, for what follows a success before the page is rendered again
 */
export function useUnsaved(isDirty: boolean): () => void {
  const [form] = useState(() => ({}));
  const dialog = useContext(DialogContext);
  const forget = useCallback(() => {
    unsavedForms.remove(form);
    dialog?.unsaved.delete(form);
  }, [form, dialog]);
  useEffect(() => {
    if (!isDirty) return undefined;
    unsavedForms.add(form);
    dialog?.unsaved.add(form);
    return forget;
  }, [isDirty, form, dialog, forget]);
  return forget;
}
