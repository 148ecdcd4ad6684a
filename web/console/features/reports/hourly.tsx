import { NativeSelect, Skeleton, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { ProblemNotice } from '../../ui/problem-notice';
import { byHour } from './charts/by-hour';
import { ChartSection } from './charts/chart-section';
import { Section } from './section';
import { reportTexts } from './texts/texts';
import { useHourly, useReportRefresh, type ReportQuery } from './use-reports';

const STYLE = { kind: 'bars', figure: 'count' } as const;
const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** The calls by the hour in which they came. */
export function HourlyChart({ query }: { query: ReportQuery }) {
  const texts = reportTexts.use();
  const { data, isPending, error } = useHourly(query);
  const refresh = useReportRefresh();
  const [weekday, setWeekday] = useState(0);
  const rows = data?.data;
  const chart = useMemo(() => {
    const hours = byHour(rows ?? [], weekday);
    return {
      labelHeader: texts.hour,
      labels: hours.map(({ hour }) => `${String(hour).padStart(2, '0')}:00`),
      series: [
        { look: 0 as const, label: texts.figures.total_calls, values: hours.map((hour) => hour.total_calls) },
        { look: 2 as const, label: texts.abandoned, values: hours.map((hour) => hour.abandoned_calls) },
      ],
    };
  }, [rows, weekday, texts]);
  if (isPending || error)
    return (
      <Section title={texts.hourly}>
        {isPending && <Skeleton height={240} />}
        <ProblemNotice error={error} onRetry={refresh} />
      </Section>
    );
  if (data.data.every(({ total_calls }) => total_calls === 0))
    return (
      <Section title={texts.hourly}>
        <Text>{texts.noCalls}</Text>
      </Section>
    );
  return (
    <ChartSection
      title={texts.hourly}
      data={chart}
      style={STYLE}
      testId="report-hourly"
      controls={
        <NativeSelect
          size="xs"
          aria-label={texts.weekday}
          data={WEEKDAYS.map((day) => ({ value: String(day), label: texts.weekdays[day] ?? '' }))}
          value={String(weekday)}
          onChange={({ currentTarget }) => setWeekday(Number(currentTarget.value))}
        />
      }
    />
  );
}
