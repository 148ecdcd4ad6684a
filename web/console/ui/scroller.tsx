import { Box, type BoxProps } from '@mantine/core';
import type { ComponentProps } from 'react';

/**
 * A part of the page that scrolls. It takes the focus, so that the keyboard can scroll it: what is in it need not have
 * anything to focus. It needs a role and a label.
 */
export function Scroller(props: BoxProps & Omit<ComponentProps<'div'>, keyof BoxProps>) {
  return <Box tabIndex={0} {...props} />;
}
