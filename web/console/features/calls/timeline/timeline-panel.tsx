import { Skeleton, Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiError, unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { formatDateTime, formatTime } from '../../../ui/dates';
import { ProblemNotice } from '../../../ui/problem-notice';
import { Section } from '../section';
import { CandidateList } from './candidate-list';
import { DeviceLine } from './device-line';
import { droppedBy } from './dropped-by.rules';
import { factsOf, type Names } from './facts';
import { sumUpQuality } from './quality.rules';
import { QualityLine } from './quality-line';
import { timelineTexts } from './texts/texts';
import type { Candidate, QualityRun, Side, TimelineEntry } from './timeline.types';
import { useNames } from './use-names';

/** The service does not tell of offers and of reports of the quality: asked for again this often. */
const REFETCH_MS = 5000;

/** What happened to the call, in sentences. */
export function TimelinePanel({ callId, isOver }: { callId: string; isOver: boolean }) {
  const texts = timelineTexts.use();
  const api = useApi();
  const { data, isPending, error, refetch } = useQuery({
    queryKey: ['calls', callId, 'timeline'],
    queryFn: async () => {
      const path = { id: callId };
      const answer = await unwrap(api.GET('/api/v1/calls/{id}/timeline', { params: { path } }));
      const found: TimelineEntry[] = answer.data;
      return found;
    },
    refetchInterval: isOver ? false : REFETCH_MS,
  });
  const entries = useMemo(() => data ?? [], [data]);
  const items = useMemo(() => sumUpQuality(entries), [entries]);
  const dropped = useMemo(() => droppedBy(entries), [entries]);
  const names = useNames(entries);
  const isForbidden = error instanceof ApiError && error.status === 403;
  return (
    <Section title={texts.title}>
      {isForbidden ? <Text>{texts.forbidden}</Text> : <ProblemNotice error={error} onRetry={refetch} />}
      {isPending && <Skeleton height={160} />}
      {data?.length === 0 && <Text>{texts.empty}</Text>}
      <Timeline bulletSize={14} lineWidth={2} active={items.length}>
        {items.map((item, index) => (
          // Entries have no ids, and are only ever added.
          // oxlint-disable-next-line react/no-array-index-key
          <Timeline.Item key={index} data-testid="timeline-entry" data-type={item.type}>
            {item.type === 'quality' ? (
              <QualityLine run={item as QualityRun} />
            ) : (
              <Entry entry={item as TimelineEntry} names={names} dropped={dropped} />
            )}
          </Timeline.Item>
        ))}
      </Timeline>
    </Section>
  );
}

function Entry({ entry, names, dropped }: { entry: TimelineEntry; names: Names; dropped: Side[] }) {
  const texts = timelineTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  const { at, type } = entry;
  const { note, candidates } = entry as { note?: string | null; candidates?: Candidate[] };
  const sentence = texts.sentences[type]?.(factsOf(entry, { names, language, zone, dropped }));
  return (
    <>
      {type === 'device_report' ? (
        <DeviceLine report={entry} />
      ) : (
        <Text>{sentence ?? texts.unknown(type)}</Text>
      )}
      {note && (
        <Text size="sm" fs="italic">
          {texts.note(note)}
        </Text>
      )}
      {candidates && candidates.length > 0 && <CandidateList candidates={candidates} offeredAt={at} />}
      <Text size="sm" c="dimmed" component="time" dateTime={at} title={formatDateTime(at, language, zone)}>
        {formatTime(at, language, zone)}
      </Text>
    </>
  );
}
