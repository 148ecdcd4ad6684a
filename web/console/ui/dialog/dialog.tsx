import { Modal, type ModalProps } from '@mantine/core';
import { useCommonTexts } from '../../texts/texts';
import { DialogContext } from './dialog-context';
import { useDialog } from './use-dialog';
import { useEscape } from './use-escape';

interface DialogProps extends ModalProps {
  /** Whether it is asked before unsaved changes are lost; forms inside the dialog say so themselves. */
  isDirty?: boolean;
}

/** A dialog over the page. Of several, Escape closes the topmost alone; `closeOnEscape={false}` makes it ignore the key. */
export function Dialog({ closeOnEscape = true, isDirty = false, onClose, children, ...props }: DialogProps) {
  const texts = useCommonTexts();
  const dialog = useDialog(isDirty, onClose);
  useEscape(props.opened, () => {
    if (closeOnEscape) dialog.close();
  });
  return (
    <Modal
      {...props}
      onClose={dialog.close}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <DialogContext value={dialog}>{children}</DialogContext>
    </Modal>
  );
}
