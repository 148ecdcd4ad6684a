import { Alert, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useConsole, useHasRole } from '../../../state/console-context';
import { useSkillNames } from '../../../state/use-skills';
import { useSignalValue } from '../../../ui/use-signal-value';
import { queueTexts } from '../texts/texts';
import '../queue.css';
import { QueueHeading } from './queue-heading';
import { QueueRow } from './queue-row';
import { entriesOf, groupsOf } from './queue.rules';
import { useWindowRows } from './use-window-rows';

/** The customers who wait in the agent's departments, in the order of each queue. */
export function QueueList() {
  const texts = queueTexts.use();
  const state = useConsole();
  const queues = useSignalValue(state.queue.queues);
  const isKnown = useSignalValue(state.queue.newsAt) !== null;
  const isHere = useSignalValue(state.call) !== null;
  const isElsewhere = useSignalValue(state.own.elsewhere) !== null;
  const isNext = useSignalValue(state.next) !== null;
  const isInCall = isHere || isElsewhere || isNext;
  const entries = useMemo(() => entriesOf(groupsOf(queues, texts.unnamed)), [queues, texts]);
  const skillNames = useSkillNames(
    queues.some(({ calls }) => calls?.some(({ skills }) => skills && skills.length > 0)),
  );
  const { list, rows, size, measure } = useWindowRows(entries);
  if (!isKnown) return <Skeleton height={120} />;
  if (entries.length === 0) return <EmptyQueue hasDepartments={queues.length > 0} />;
  return (
    <>
      {isInCall && <Alert>{texts.inCall}</Alert>}
      <ul ref={list} className="queue" aria-label={texts.title} style={{ blockSize: size }}>
        {rows.map(({ index, top, entry }) => (
          <li
            key={entry.key}
            ref={measure}
            data-index={index}
            aria-setsize={entries.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${top}px)` }}
          >
            {entry.kind === 'heading' && <QueueHeading group={entry.group} />}
            {entry.kind === 'hidden' && (
              <Text size="sm" c="dimmed" p="xs">
                {texts.hidden(entry.count)}
              </Text>
            )}
            {entry.kind === 'call' && (
              <QueueRow call={entry.call} group={entry.group} isInCall={isInCall} skillNames={skillNames} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function EmptyQueue({ hasDepartments }: { hasDepartments: boolean }) {
  const texts = queueTexts.use();
  const isSupervisor = useHasRole('supervisor');
  const isHint = !hasDepartments && !isSupervisor;
  return (
    <Paper withBorder p="xl" data-testid="queue-empty">
      <Stack gap="xs" align="center">
        <Text fw={600}>{texts.empty}</Text>
        <Text c="dimmed" ta="center">
          {isHint ? texts.noDepartment : texts.emptyHint}
        </Text>
      </Stack>
    </Paper>
  );
}
