import { createTheme, type CSSVariablesResolver } from '@mantine/core';
import type { Language } from '../../shared/texts/texts';

/** Shades with enough contrast for white text on buttons, and for links on both backgrounds. */
const THEME = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  autoContrast: true,
  respectReducedMotion: true,
});

const CLOSE_LABELS: Record<Language, string> = { en: 'Close', pt: 'Fechar', es: 'Cerrar' };

/** The theme with the names of the buttons that Mantine itself makes. */
export const themeIn = (language: Language) =>
  createTheme({
    ...THEME,
    components: {
      // React's hidden mode ends the effects of a tab that is not shown: its unsaved changes would be forgotten.
      Tabs: { defaultProps: { keepMountedMode: 'display-none' } },
      Notification: { defaultProps: { closeButtonProps: { 'aria-label': CLOSE_LABELS[language] } } },
    },
  });

/** Darker or lighter than those of Mantine, which have too little contrast for small text. */
export const READABLE_COLORS: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-error': colors.red[9],
    '--mantine-color-anchor': colors.blue[8],
    '--mantine-color-blue-light': colors.blue[0],
    '--mantine-color-blue-light-hover': colors.blue[0],
    '--mantine-color-blue-light-color': colors.blue[9],
    '--mantine-color-red-light-color': '#a51111',
    '--mantine-color-red-outline': colors.red[9],
    '--mantine-color-green-light-color': '#1b5e20',
    '--mantine-color-yellow-light-color': '#7a4a00',
    '--mantine-color-gray-light-color': colors.gray[8],
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[1],
    '--mantine-color-error': colors.red[4],
    '--mantine-color-anchor': colors.blue[3],
    '--mantine-color-blue-light-color': colors.blue[1],
    '--mantine-color-red-light-color': colors.red[1],
    '--mantine-color-green-light-color': colors.green[1],
    '--mantine-color-yellow-light-color': colors.yellow[1],
    '--mantine-color-gray-light-color': colors.gray[1],
  },
});
