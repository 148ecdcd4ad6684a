import type { Language } from '../../shared/texts/texts';
import { formatDuration } from './duration';
import { formatNumber } from './numbers';

/** How a figure is written: a number, seconds, a share of 0 to 1, or a rating of 1 to 5. */
export type FigureKind = 'count' | 'seconds' | 'share' | 'rating';

/** What is shown where there is no figure. */
export const NO_FIGURE = '–';

const OPTIONS: Readonly<Record<Exclude<FigureKind, 'seconds'>, Intl.NumberFormatOptions>> = {
  count: { maximumFractionDigits: 1 },
  share: { style: 'percent', maximumFractionDigits: 1 },
  rating: { minimumFractionDigits: 1, maximumFractionDigits: 2 },
};

/**
 * Reports and the wall round alike, so that they show one figure as the same.
 * @param value seconds, or a share of 0 to 1, as its kind says
 */
export function formatFigure(value: number | null, kind: FigureKind, language: Language): string {
  if (value === null) return NO_FIGURE;
  if (kind === 'seconds') return formatDuration(Math.round(value) * 1000);
  return formatNumber(value, language, OPTIONS[kind]);
}
