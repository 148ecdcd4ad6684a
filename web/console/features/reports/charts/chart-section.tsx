import { SegmentedControl } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Section } from '../section';
import { reportTexts } from '../texts/texts';
import Chart from './chart';
import { ChartTable } from './chart-table';
import type { ChartData, ChartStyle } from './chart.types';

interface ChartSectionProps {
  title: string;
  data: ChartData;
  /** Keeps its identity. */
  style: ChartStyle;
  /** What chooses the data. */
  controls?: ReactNode;
  testId?: string;
}

/** Figures as a chart or as a table. */
export function ChartSection({ title, data, style, controls, testId }: ChartSectionProps) {
  const texts = reportTexts.use();
  const [view, setView] = useState<'chart' | 'table'>('chart');
  return (
    <Section
      title={title}
      testId={testId}
      actions={
        <>
          {controls}
          <SegmentedControl
            size="xs"
            aria-label={texts.view(title)}
            transitionDuration={0}
            data={[
              { value: 'chart', label: texts.chart },
              { value: 'table', label: texts.table },
            ]}
            value={view}
            onChange={(value) => setView(value as typeof view)}
          />
        </>
      }
    >
      {view === 'chart' ? (
        <Chart label={texts.chartLabel(title)} data={data} style={style} />
      ) : (
        <ChartTable label={title} data={data} figure={style.figure} />
      )}
    </Section>
  );
}
