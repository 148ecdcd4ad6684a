import { Drawer, type DrawerProps } from '@mantine/core';
import { useCommonTexts } from '../../texts/texts';
import { useEscape } from './use-escape';

/** Details beside a list, over the page. */
export function SidePanel(props: DrawerProps) {
  const { close } = useCommonTexts();
  useEscape(props.opened, props.onClose);
  return (
    <Drawer
      position="right"
      size="lg"
      {...props}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': close }}
    />
  );
}
