import type { components } from '../../../../shared/api/client';
import type { Language } from '../../../../shared/texts/texts';
import { formatTimeAs } from '../../../ui/dates';
import type { ReportTexts } from '../texts/en';
import type { ChartData } from './chart.types';

type TrendReport = components['schemas']['TrendReportDto'];

/** The figures of each measure with their looks. */
const SERIES = {
  calls: [
    ['total_calls', 0],
    ['answered_calls', 1],
    ['abandoned_calls', 2],
  ],
  service_level: [
    ['service_level', 1],
    ['abandonment_rate', 2],
  ],
  waits: [
    ['average_wait_time', 2],
    ['average_handle_time', 0],
  ],
} as const;

/** @param interval of the rows: the year matters for months only */
export function trendChart(
  rows: readonly TrendReport[],
  measure: keyof typeof SERIES,
  interval: 'day' | 'week' | 'month',
  texts: ReportTexts,
  language: Language,
): ChartData {
  const form = interval === 'month' ? 'month' : 'dayOfYear';
  return {
    labelHeader: texts.intervals[interval],
    // The first day is a date without a zone.
    labels: rows.map(({ period }) => formatTimeAs(form, period, language, 'UTC')),
    series: SERIES[measure].map(([key, look]) => ({
      look,
      label: key === 'abandoned_calls' ? texts.abandoned : texts.figures[key],
      // Who leaves the line late counts as abandoned, as in the abandonment rate.
      values: rows.map((row) => (key === 'abandoned_calls' ? row[key] + row.left_calls : row[key])),
    })),
  };
}
