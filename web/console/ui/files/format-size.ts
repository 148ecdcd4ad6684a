import type { Language } from '../../../shared/texts/texts';
import { formatNumber } from '../numbers';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
const STEP = 1000;

/** @returns for example `4.2 MB` */
export function formatSize(bytes: number, language: Language): string {
  const power = bytes < STEP ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return formatNumber(bytes / STEP ** power, language, {
    style: 'unit',
    unit: UNITS[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  });
}
