/** How the customer's page shows a company's colour in one of the colour schemes. */
export interface PreviewColors {
  background: string;
  text: '#000000' | '#ffffff';
  /** Of the text on the button, from 4.5 up. */
  textContrast: number;
  /** Whether the colour was changed so that the button stands out against the page. */
  isAdjusted: boolean;
}

export type Scheme = 'light' | 'dark';

/** WCAG 2.2, 1.4.11: a button must stand out against what is around it. */
const MIN_CONTRAST = 3;
const STEPS = 50;

/** The surfaces of the customer's page, its text, and what is mixed into a colour until it stands out. */
export const SURFACES = {
  light: { surface: '#f1f3f5', text: '#000000' },
  dark: { surface: '#2a2d33', text: '#ffffff' },
} as const;

const SIX_DIGITS = /^#[\da-f]{6}$/i;

/**
 * The same as the service does for the customer's page, from which the console imports nothing.
 * @returns null for what is no `#rrggbb`
 */
export function previewColors(color: string, scheme: Scheme): PreviewColors | null {
  if (!SIX_DIGITS.test(color)) return null;
  const { surface, text: mixed } = SURFACES[scheme];
  const background = standingOut(color.toLowerCase(), surface, mixed);
  const onWhite = contrast(background, '#ffffff');
  const onBlack = contrast(background, '#000000');
  return {
    background,
    text: onWhite >= onBlack ? '#ffffff' : '#000000',
    textContrast: Math.max(onWhite, onBlack),
    isAdjusted: background !== color.toLowerCase(),
  };
}

function standingOut(color: string, surface: string, mixed: string): string {
  for (let step = 0; step < STEPS; step++) {
    const candidate = mix(color, mixed, step / STEPS);
    if (contrast(candidate, surface) >= MIN_CONTRAST) return candidate;
  }
  return mixed;
}

/** The contrast ratio of two colours, from 1 to 21 (WCAG 2). */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color)
    .map((channel) => channel / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(color: string, other: string, share: number): string {
  const to = channels(other);
  const mixed = channels(color).map((from, index) => Math.round(from + ((to[index] ?? 0) - from) * share));
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

const channels = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
