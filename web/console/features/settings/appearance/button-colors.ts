import { brandColors } from '../../../../../src/pages/html/brand-colors';
import { contrast, relativeLuminance } from '../../../../../src/platform/mail/button-colours';

/** How the customer's page shows a company's colour in one of the colour schemes. */
export interface PreviewColors {
  background: string;
  text: string;
  /** Of the text on the button, from 4.5 up. */
  textContrast: number;
  /** Whether the colour was changed so that the button stands out against the page. */
  isAdjusted: boolean;
}

export type Scheme = 'light' | 'dark';

const SIX_DIGITS = /^#[\da-f]{6}$/i;

/** @returns null for what is no `#rrggbb` */
export function previewColors(color: string, scheme: Scheme): PreviewColors | null {
  if (!SIX_DIGITS.test(color)) return null;
  const { accent, on_accent, accent_dark, on_accent_dark } = brandColors(color);
  const [background, text] = scheme === 'light' ? [accent, on_accent] : [accent_dark, on_accent_dark];
  return {
    background,
    text,
    textContrast: contrast(relativeLuminance(background), relativeLuminance(text)),
    isAdjusted: background !== color.toLowerCase(),
  };
}
