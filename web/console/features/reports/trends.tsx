import { NativeSelect, Skeleton, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useLanguage } from '../../texts/language';
import { ProblemNotice } from '../../ui/problem-notice';
import { trendChart } from './charts/trend-chart';
import { ChartSection } from './charts/chart-section';
import type { ChartStyle } from './charts/chart.types';
import { intervalOf } from './period';
import { Section } from './section';
import { reportTexts } from './texts/texts';
import { useReportRefresh, useTrends, type Interval, type ReportMeta, type ReportQuery } from './use-reports';

const INTERVALS = ['day', 'week', 'month'] as const;
const MEASURES = ['calls', 'service_level', 'waits'] as const;

type Measure = (typeof MEASURES)[number];

const STYLES: Readonly<Record<Measure, ChartStyle>> = {
  calls: { kind: 'lines', figure: 'count' },
  service_level: { kind: 'lines', figure: 'share' },
  waits: { kind: 'lines', figure: 'seconds' },
};

/** How the figures have changed within the period. */
export function TrendsChart({ query, meta }: { query: ReportQuery; meta: ReportMeta }) {
  const texts = reportTexts.use();
  const language = useLanguage();
  const [chosen, setChosen] = useState<Interval | null>(null);
  const [measure, setMeasure] = useState<Measure>('calls');
  const interval = chosen ?? intervalOf(meta.from, meta.until);
  const { data, isPending, error } = useTrends(query, interval);
  const refresh = useReportRefresh();
  const rows = data?.data;
  const chart = useMemo(
    () => trendChart(rows ?? [], measure, interval, texts, language),
    [rows, measure, interval, texts, language],
  );
  if (isPending || error)
    return (
      <Section title={texts.trends}>
        {isPending && <Skeleton height={240} />}
        <ProblemNotice error={error} onRetry={refresh} />
      </Section>
    );
  if (data.data.every(({ total_calls }) => total_calls === 0))
    return (
      <Section title={texts.trends}>
        <Text>{texts.noCalls}</Text>
      </Section>
    );
  return (
    <ChartSection
      title={texts.trends}
      data={chart}
      style={STYLES[measure]}
      testId="report-trends"
      controls={
        <>
          <NativeSelect
            size="xs"
            aria-label={texts.measure}
            data={MEASURES.map((name) => ({ value: name, label: texts.measures[name] }))}
            value={measure}
            onChange={({ currentTarget }) => setMeasure(currentTarget.value as Measure)}
          />
          <NativeSelect
            size="xs"
            aria-label={texts.interval}
            data={INTERVALS.map((name) => ({ value: name, label: texts.intervals[name] }))}
            value={interval}
            onChange={({ currentTarget }) => {
              setChosen(currentTarget.value as Interval);
              void refresh();
            }}
          />
        </>
      }
    />
  );
}
