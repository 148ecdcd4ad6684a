import type { FigureKind } from '../../../ui/format-figure';

/** One line, or one row of bars, of a chart. */
export interface ChartSeries {
  label: string;
  /** Colour and dashes: the same figure looks the same in all charts. */
  look: 0 | 1 | 2;
  values: readonly (number | null)[];
}

/** What a chart and its table show. */
export interface ChartData {
  /** What the labels are, for the table: "Hour". */
  labelHeader: string;
  labels: readonly string[];
  series: readonly ChartSeries[];
}

/** What a chart is and what it shows. */
export interface ChartStyle {
  kind: ChartKind;
  figure: FigureKind;
}

export type ChartKind = 'bars' | 'lines';
