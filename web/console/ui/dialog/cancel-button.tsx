import { Button } from '@mantine/core';
import { useContext } from 'react';
import { useCommonTexts } from '../../texts/texts';
import { DialogContext } from './dialog-context';

/** Closes the dialog around it; asks before unsaved changes are lost. */
export function CancelButton() {
  const texts = useCommonTexts();
  const dialog = useContext(DialogContext);
  return (
    <Button variant="default" onClick={() => dialog?.close()}>
      {texts.cancel}
    </Button>
  );
}
