import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { formatDateTime } from '../../../ui/dates';
import { FileButton } from '../../../ui/files/file-button';
import { formatSize } from '../../../ui/files/format-size';
import { ProblemNotice } from '../../../ui/problem-notice';
import { Section } from '../section';
import { callsTexts } from '../texts/texts';

const MAX_FILES = 100;

/** The files of the call. */
export function CallFiles({ callId }: { callId: string }) {
  const { files: texts } = callsTexts.use();
  const api = useApi();
  const language = useLanguage();
  const zone = useZone()?.name;
  const { data, error, refetch } = useQuery({
    queryKey: ['calls', callId, 'files'],
    queryFn: async () => {
      const params = { path: { call_id: callId }, query: { page_size: MAX_FILES } };
      return (await unwrap(api.GET('/api/v1/calls/{call_id}/files', { params }))).data;
    },
  });
  return (
    <Section title={texts.title}>
      <ProblemNotice error={error} onRetry={refetch} />
      {data?.length === 0 && <Text>{texts.none}</Text>}
      {data?.map((file) => (
        <Group key={file.id} gap="sm">
          <FileButton file={file} label={texts.download(file.filename)} />
          <Text size="sm" c="dimmed">
            {formatSize(file.size, language)} · {formatDateTime(file.inserted_at, language, zone)}
          </Text>
        </Group>
      ))}
    </Section>
  );
}
