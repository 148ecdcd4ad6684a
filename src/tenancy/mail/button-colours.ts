export interface ButtonColours {
  background: string;
  text: '#000000' | '#ffffff';
}

const FALLBACK = '#2563eb';

/**
 * The colours of a button: the company's colour as background, and black or white text, whichever has the
 * higher contrast. The contrast is always at least 4.5:1 (WCAG 2). A value other than #rgb or #rrggbb gives a
 * blue.
 */
export function buttonColours(colour: string): ButtonColours {
  const background = sixDigits(colour) ?? FALLBACK;
  const luminance = relativeLuminance(background);
  const onWhite = contrast(luminance, 1);
  const onBlack = contrast(luminance, 0);
  return { background, text: onWhite >= onBlack ? '#ffffff' : '#000000' };
}

function sixDigits(colour: string): string | undefined {
  if (/^#[\da-f]{6}$/i.test(colour)) return colour.toLowerCase();
  if (/^#[\da-f]{3}$/i.test(colour)) return colour.toLowerCase().replace(/[\da-f]/g, '$&$&');
  return undefined;
}

/** The relative luminance of an sRGB colour, from 0 for black to 1 for white (WCAG 2). */
export function relativeLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(colour.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two luminances, from 1 to 21 (WCAG 2). */
export function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
