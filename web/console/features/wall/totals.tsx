import { Paper, Text } from '@mantine/core';
import { useConsole } from '../../state/console-context';
import { useLanguage } from '../../texts/language';
import { LOCALES } from '../../ui/dates';
import { formatDuration } from '../../ui/duration';
import { ProblemNotice } from '../../ui/problem-notice';
import { useSignalValue } from '../../ui/use-signal-value';
import { countStates } from './agents.rules';
import { wallTexts } from './texts/texts';
import { useToday } from './use-today';

/** @returns the share as a percentage */
export const percentOf = (share: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share);

/** The company now and today. */
export function Totals() {
  const { totals: texts, noCalls } = wallTexts.use();
  const { queue } = useConsole();
  const queues = useSignalValue(queue.queues);
  const agents = useSignalValue(queue.agents);
  const locale = LOCALES[useLanguage()];
  const { data, error, refetch } = useToday(null);
  const today = data?.data;
  const target = formatDuration((data?.meta.service_level_seconds ?? 0) * 1000);
  const seconds = (value: number | null | undefined) =>
    value === null || value === undefined ? noCalls : formatDuration(value * 1000);
  const figures: [string, string | number][] = [
    [texts.waiting, queues.reduce((sum, { size }) => sum + size, 0)],
    [texts.inCall, countStates(agents).on_call],
    [texts.offered, today?.total_calls ?? noCalls],
    [texts.answered, today?.answered_calls ?? noCalls],
    [texts.abandoned, today ? today.abandoned_calls + today.left_calls + today.missed_calls : noCalls],
    [texts.averageWait, seconds(today?.average_wait_time)],
    [
      texts.serviceLevel(target),
      typeof today?.service_level === 'number' ? percentOf(today.service_level, locale) : noCalls,
    ],
  ];
  return (
    <section aria-label={texts.label}>
      <ProblemNotice error={error} onRetry={refetch} />
      <dl className="wall-totals">
        {figures.map(([label, value]) => (
          <Paper withBorder p="sm" key={label}>
            <Text component="dt" className="wall-label" c="dimmed">
              {label}
            </Text>
            <dd className="wall-figure">{value}</dd>
          </Paper>
        ))}
      </dl>
    </section>
  );
}
