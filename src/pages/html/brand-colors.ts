import { buttonColours, contrast, relativeLuminance } from '../../tenancy/mail/button-colours';

/** `#rrggbb`: a colour for buttons, and that of the text on it. */
export interface BrandColors {
  accent: string;
  on_accent: string;
  /** The same on a dark page. */
  accent_dark: string;
  on_accent_dark: string;
}

/** WCAG 2.2, 1.4.11: a button must stand out against what is around it. */
const MIN_CONTRAST = 3;
const STEPS = 50;

/** The surfaces of the pages: white or a little darker, and the lightest of the dark ones. */
const LIGHT_SURFACE = '#f1f3f5';
const DARK_SURFACE = '#2a2d33';

/**
 * The company's colour for both schemes: unchanged where it stands out against the page, otherwise as much darker or
 * lighter as it needs.
 */
export function brandColors(primaryColor: string): BrandColors {
  const { background } = buttonColours(primaryColor);
  const light = standingOut(background, LIGHT_SURFACE, '#000000');
  const dark = standingOut(background, DARK_SURFACE, '#ffffff');
  return {
    accent: light,
    on_accent: buttonColours(light).text,
    accent_dark: dark,
    on_accent_dark: buttonColours(dark).text,
  };
}

/** Mixes the colour with `other` until it has enough contrast to the surface. */
function standingOut(color: string, surface: string, other: string): string {
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(color, other, step / STEPS);
    if (contrast(relativeLuminance(mixed), relativeLuminance(surface)) >= MIN_CONTRAST) return mixed;
  }
  return other;
}

function mix(color: string, other: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [from = 0, to = 0] = [color, other].map((one) => Number.parseInt(one.slice(at, at + 2), 16));
    return Math.round(from + (to - from) * share);
  });
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
