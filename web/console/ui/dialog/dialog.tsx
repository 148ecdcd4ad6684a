import { Modal, type ModalProps } from '@mantine/core';
import { useCommonTexts } from '../../texts/texts';
import { useEscape } from './use-escape';

/** A dialog over the page. Of several, Escape closes the topmost alone; `closeOnEscape={false}` makes it ignore the key. */
export function Dialog({ closeOnEscape = true, ...props }: ModalProps) {
  const { close } = useCommonTexts();
  useEscape(props.opened, () => {
    if (closeOnEscape) props.onClose();
  });
  return <Modal {...props} closeOnEscape={false} closeButtonProps={{ 'aria-label': close }} />;
}
