import { Drawer, type DrawerProps } from '@mantine/core';
import { useCommonTexts } from '../../texts/texts';
import { DialogContext } from './dialog-context';
import { useDialog } from './use-dialog';
import { useEscape } from './use-escape';

/** Details beside a list, over the page. */
export function SidePanel({ onClose, children, ...props }: DrawerProps) {
  const texts = useCommonTexts();
  const dialog = useDialog(false, onClose);
  useEscape(props.opened, dialog.close);
  return (
    <Drawer
      position="right"
      size="lg"
      {...props}
      onClose={dialog.close}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <DialogContext value={dialog}>{children}</DialogContext>
    </Drawer>
  );
}
