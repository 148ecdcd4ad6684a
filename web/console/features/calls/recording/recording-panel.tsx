import { NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../../../../shared/api/client';
import { useApi, useHasRole } from '../../../state/console-context';
import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { ConfirmButton } from '../../../ui/confirm-button';
import { formatDateTime } from '../../../ui/dates';
import { formatDuration } from '../../../ui/duration';
import { formatSize } from '../../../ui/files/format-size';
import { ProblemNotice } from '../../../ui/problem-notice';
import { Section } from '../section';
import { Summary, Transcript } from './generated-text';
import { DownloadButton, Player } from './player';
import './recording.css';
import { recordingTexts } from './texts/texts';

/** The recordings of a call, each with what was said beside it. */
export function RecordingPanel({ callId }: { callId: string }) {
  const texts = recordingTexts.use();
  const api = useApi();
  const language = useLanguage();
  const zone = useZone()?.name;
  const [wanted, setWanted] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['calls', callId, 'recordings'],
    queryFn: async () => {
      const params = { path: { call_id: callId } };
      return (await unwrap(api.GET('/api/v1/calls/{call_id}/recordings', { params }))).data;
    },
  });
  const recordings = data ?? [];
  const recording = recordings.find(({ id }) => id === wanted) ?? recordings[0];
  const facts = recording && [
    formatDateTime(recording.inserted_at, language, zone),
    recording.duration !== null && formatDuration(recording.duration * 1000),
    formatSize(recording.size, language),
  ];
  return (
    <Section title={texts.title} testId="recording-panel">
      <ProblemNotice error={error} onRetry={refetch} />
      {recordings.length > 1 && (
        <NativeSelect
          label={texts.which}
          data={recordings.map(({ id, inserted_at }, index) => ({
            value: id,
            label: texts.nth(recordings.length - index, formatDateTime(inserted_at, language, zone)),
          }))}
          value={recording?.id}
          onChange={({ currentTarget }) => setWanted(currentTarget.value)}
        />
      )}
      {recording && (
        <SimpleGrid cols={{ base: 1, md: 2 }} key={recording.id}>
          <Stack gap="sm" align="start">
            <Player callId={callId} recordingId={recording.id} />
            <Text size="sm" c="dimmed">
              {facts?.filter(Boolean).join(' · ')}
            </Text>
            <DownloadButton callId={callId} recordingId={recording.id} />
            <DeleteButton callId={callId} recordingId={recording.id} />
          </Stack>
          <Stack>
            <Summary callId={callId} recordingId={recording.id} />
            <Transcript callId={callId} recordingId={recording.id} />
          </Stack>
        </SimpleGrid>
      )}
    </Section>
  );
}

function DeleteButton({ callId, recordingId }: { callId: string; recordingId: string }) {
  const texts = recordingTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const remove = async () => {
    const params = { path: { call_id: callId }, query: { recording_id: recordingId } };
    await unwrap(api.DELETE('/api/v1/calls/{call_id}/recording', { params }));
    notifications.show({ message: texts.removed });
    await queries.invalidateQueries({ queryKey: ['calls', callId] });
  };
  if (!useHasRole('manager')) return null;
  return (
    <ConfirmButton
      size="xs"
      color="red"
      label={texts.remove}
      question={texts.removeQuestion}
      action={remove}
    />
  );
}
