import { Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { formatTime } from '../../../ui/dates';
import { FilePreview } from '../../../ui/files/file-preview';
import { LinkedText } from '../../../ui/linked-text';
import { ProblemNotice } from '../../../ui/problem-notice';
import { Section } from '../section';
import { callsTexts } from '../texts/texts';
import type { Call } from '../use-call';

/** Messages of a running call are no news of the call, so they are asked for. */
const REFRESH_MS = 5000;

/** What both sides wrote to each other. Nothing for a call without messages. */
export function CallChat({ call, isOver }: { call: Call; isOver: boolean }) {
  const { facts, columns, files } = callsTexts.use();
  const api = useApi();
  const language = useLanguage();
  const zone = useZone()?.name;
  const { data, error, refetch } = useQuery({
    // Also read once more when the call has ended.
    queryKey: ['calls', call.id, 'chat', isOver],
    placeholderData: keepPreviousData,
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/calls/{id}/chat', { params: { path: { id: call.id } } }))).data,
    refetchInterval: isOver ? false : REFRESH_MS,
  });
  if (!error && !data?.length) return null;
  return (
    <Section title={facts.chat} testId="call-chat">
      <ProblemNotice error={error} onRetry={refetch} />
      <Stack component="ol" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {data?.map(({ id, from, agent_name, text, at, file }) => (
          <li key={id}>
            <Text size="xs" c="dimmed">
              <strong>{from === 'agent' ? (agent_name ?? columns.agent) : call.customer_name}</strong>{' '}
              <time dateTime={at}>{formatTime(at, language, zone)}</time>
            </Text>
            <Text component="div" size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {file ? (
                <FilePreview file={file} label={files.download(file.filename)} />
              ) : (
                <LinkedText text={text} />
              )}
            </Text>
          </li>
        ))}
      </Stack>
    </Section>
  );
}
