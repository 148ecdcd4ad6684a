import { createTheme } from '@mantine/core';

/** Shades with enough contrast for white text on buttons, and for links on both backgrounds. */
export const THEME = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  autoContrast: true,
  respectReducedMotion: true,
});
