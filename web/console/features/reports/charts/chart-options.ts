import uPlot from 'uplot';
import type { FigureKind } from '../../../ui/format-figure';
import type { ChartData, ChartKind, ChartSeries, ChartStyle } from './chart.types';

/** With at least 3:1 against the page, by the look of the series. */
export const COLORS = {
  light: ['#1971c2', '#2b8a3e', '#c92a2a'],
  dark: ['#74c0fc', '#8ce99a', '#ff8787'],
} as const;

/** Lines differ in more than their colour. */
export const DASHES = [[], [8, 4], [2, 3]] as const;

const INK = {
  light: { text: '#495057', grid: '#e9ecef' },
  dark: { text: '#c9c9c9', grid: '#3b3b3b' },
} as const;
const FONT = '12px system-ui, sans-serif';
const BAR_WIDTH = 0.7;
const MAX_BAR_PIXELS = 48;

/** Between the lines of the value axis: whole calls, and round times. */
const STEPS: Readonly<Partial<Record<FigureKind, number[]>>> = {
  count: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000],
  seconds: [1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 36_000],
};

/** @param onPoint gets the index of the point that the pointer is at, null for none */
export function chartOptions(
  { labels, series }: ChartData,
  { kind, figure }: ChartStyle,
  scheme: 'light' | 'dark',
  format: (value: number) => string,
  size: { width: number; height: number },
  onPoint: (index: number | null) => void,
): uPlot.Options {
  const { text, grid } = INK[scheme];
  const axis = {
    stroke: text,
    font: FONT,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1 },
  };
  return {
    ...size,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    scales: {
      x: { time: false, range: () => [-0.5, labels.length - 0.5] },
      y: { range: (_chart, _min, max) => [0, Math.max(max * 1.05, figure === 'share' ? 0.05 : 1)] },
    },
    axes: [
      {
        ...axis,
        incrs: [1, 2, 3, 5, 7, 10, 14, 30, 60, 120, 365],
        space: 56,
        values: (_chart, splits) => splits.map((index) => labels[index] ?? ''),
      },
      {
        ...axis,
        size: 60,
        ...(STEPS[figure] && { incrs: STEPS[figure] }),
        values: (_chart, splits) => splits.map(format),
      },
    ],
    series: [{}, ...series.map((one) => seriesOptions(one, kind, scheme))],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
}

function seriesOptions(
  { label, look }: ChartSeries,
  kind: ChartKind,
  scheme: 'light' | 'dark',
): uPlot.Series {
  const stroke = COLORS[scheme][look];
  if (kind === 'bars') {
    const paths = uPlot.paths.bars?.({ size: [BAR_WIDTH, MAX_BAR_PIXELS] });
    return {
      label,
      stroke,
      fill: look === 0 ? `${stroke}55` : stroke,
      width: 1,
      paths,
      points: { show: false },
    };
  }
  return { label, stroke, width: 2, dash: [...DASHES[look]], points: { size: 5 } };
}
