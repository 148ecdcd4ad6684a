import { Paper, Text } from '@mantine/core';
import { useConsole } from '../../state/console-context';
import { useLanguage } from '../../texts/language';
import { formatDuration } from '../../ui/duration';
import { formatFigure, type FigureKind } from '../../ui/format-figure';
import { ProblemNotice } from '../../ui/problem-notice';
import { useSignalValue } from '../../ui/use-signal-value';
import { countStates } from './agents.rules';
import { wallTexts } from './texts/texts';
import { useToday } from './use-today';

/** The company now and today. */
export function Totals() {
  const { totals: texts, noCalls } = wallTexts.use();
  const { queue } = useConsole();
  const queues = useSignalValue(queue.queues);
  const agents = useSignalValue(queue.agents);
  const language = useLanguage();
  const { data, error, refetch } = useToday(null);
  const today = data?.data;
  const target = formatDuration((data?.meta.service_level_seconds ?? 0) * 1000);
  const written = (value: number | null | undefined, kind: FigureKind) =>
    value === null || value === undefined ? noCalls : formatFigure(value, kind, language);
  const figures: [string, string | number][] = [
    [texts.waiting, queues.reduce((sum, { size }) => sum + size, 0)],
    [texts.inCall, countStates(agents).on_call],
    [texts.offered, today?.total_calls ?? noCalls],
    [texts.answered, today?.answered_calls ?? noCalls],
    [texts.abandoned, today ? today.abandoned_calls + today.left_calls + today.missed_calls : noCalls],
    [texts.averageWait, written(today?.average_wait_time, 'seconds')],
    [texts.serviceLevel(target), written(today?.service_level, 'share')],
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
