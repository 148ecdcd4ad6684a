import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { useLanguage } from '../../../texts/language';
import { formatDateTime } from '../../../ui/dates';
import { ProblemNotice } from '../../../ui/problem-notice';
import { useAttempt } from '../../../ui/use-attempt';
import { Section } from '../section';
import { callsTexts } from '../texts/texts';
import { formatSize } from './format-size';

const MAX_FILES = 100;

/** The files of the call. They need the token, so the page loads them and hands them over to the browser. */
export function CallFiles({ callId }: { callId: string }) {
  const { files: texts } = callsTexts.use();
  const api = useApi();
  const language = useLanguage();
  const attempt = useAttempt();
  const { data, error, refetch } = useQuery({
    queryKey: ['calls', callId, 'files'],
    queryFn: async () => {
      const params = { path: { call_id: callId }, query: { page_size: MAX_FILES } };
      return (await unwrap(api.GET('/api/v1/calls/{call_id}/files', { params }))).data;
    },
  });
  const download = async (id: string, filename: string) => {
    const params = { path: { call_id: callId, id } };
    const content: unknown = await unwrap(
      api.GET('/api/v1/calls/{call_id}/files/{id}', { params, parseAs: 'blob' }),
    );
    const url = URL.createObjectURL(content as Blob);
    Object.assign(document.createElement('a'), { href: url, download: filename }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };
  return (
    <Section title={texts.title}>
      <ProblemNotice error={error} onRetry={refetch} />
      {data?.length === 0 && <Text>{texts.none}</Text>}
      {data?.map(({ id, filename, size, inserted_at }) => (
        <Group key={id} gap="sm">
          <Anchor
            component="button"
            aria-label={texts.download(filename)}
            style={{ overflowWrap: 'anywhere', textAlign: 'start' }}
            onClick={() => attempt(() => download(id, filename))}
          >
            {filename}
          </Anchor>
          <Text size="sm" c="dimmed">
            {formatSize(size, language)} · {formatDateTime(inserted_at, language)}
          </Text>
        </Group>
      ))}
    </Section>
  );
}
