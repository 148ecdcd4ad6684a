import 'uplot/dist/uPlot.min.css';
import { Box, useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { useLanguage } from '../../../texts/language';
import { formatFigure } from '../../../ui/format-figure';
import { ChartLegend } from './chart-legend';
import { chartOptions } from './chart-options';
import type { ChartData, ChartSeries, ChartStyle } from './chart.types';

const HEIGHT = 240;

interface ChartProps {
  /** What it shows, for screen readers. */
  label: string;
  data: ChartData;
  /** Keeps its identity, so that the chart is not made again. */
  style: ChartStyle;
}

/** A drawn chart, as wide as the page. Whoever cannot see it has the same figures as a table beside it. */
export default function Chart({ label, data, style }: ChartProps) {
  const scheme = useComputedColorScheme('light');
  const frame = useRef<HTMLDivElement>(null);
  const language = useLanguage();
  const [point, setPoint] = useState<number | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const format = (value: number) => formatFigure(value, style.figure, language);
    const options = chartOptions(data, style, scheme, format, sizeOf(element), setPoint);
    const values: uPlot.AlignedData = [
      data.labels.map((_label, index) => index),
      ...data.series.map(({ values }) => drawn(values, style)),
    ];
    const chart = new uPlot(options, values, element);
    const observer = new ResizeObserver(() => chart.setSize(sizeOf(element)));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [data, style, scheme, language]);
  return (
    <div>
      <ChartLegend data={data} style={style} scheme={scheme} point={point} />
      <Box ref={frame} role="img" aria-label={label} h={HEIGHT} style={{ overflow: 'hidden' }} />
    </div>
  );
}

const sizeOf = (element: HTMLElement) => ({ width: element.clientWidth, height: HEIGHT });

/** Without the lines that bars of no height would leave. */
const drawn = (values: ChartSeries['values'], { kind }: ChartStyle) =>
  kind === 'bars' ? values.map((value) => value || null) : [...values];
