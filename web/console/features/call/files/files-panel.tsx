import { Button, FileButton, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi, useConsole } from '../../../state/console-context';
import { useLanguage } from '../../../texts/language';
import { formatTime } from '../../../ui/dates';
import { ProblemNotice } from '../../../ui/problem-notice';
import { useAttempt } from '../../../ui/use-attempt';
import { callTexts } from '../texts/texts';
import { downloadFile } from './download-file';
import { formatSize } from './file-size';
import { UploadRow } from './upload-row';
import { filesKey, useUploads } from './use-uploads';

/** The files of a call: photographs of a damage, a contract. */
export function FilesPanel({ callId }: { callId: string }) {
  const { files: labels } = callTexts.use();
  const api = useApi();
  const { session } = useConsole();
  const language = useLanguage();
  const attempt = useAttempt();
  const { uploads, start, retry, remove } = useUploads(callId);
  const {
    data: files = [],
    isPending,
    error,
    refetch,
  } = useQuery({
    queryKey: filesKey(callId),
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/calls/{call_id}/files', { params: { path: { call_id: callId } } })))
        .data,
  });
  const isEmpty = !isPending && !error && files.length === 0 && uploads.length === 0;
  return (
    <Stack gap="xs">
      <Group>
        <FileButton multiple onChange={start} inputProps={{ 'data-testid': 'file-input' } as object}>
          {(button) => (
            <Button variant="default" size="sm" {...button}>
              {labels.add}
            </Button>
          )}
        </FileButton>
      </Group>
      <ProblemNotice error={error} onRetry={refetch} />
      {isEmpty && (
        <Text size="sm" c="dimmed">
          {labels.empty}
        </Text>
      )}
      <ul className="call-files">
        {files.map((file) => (
          <li key={file.id} data-testid="call-file">
            <UnstyledButton
              c="var(--mantine-color-anchor)"
              fz="sm"
              aria-label={labels.download(file.filename)}
              onClick={() => attempt(() => downloadFile(session, file))}
            >
              {file.filename}
            </UnstyledButton>
            <Text size="xs" c="dimmed">
              {formatSize(file.size, language)} · {formatTime(file.inserted_at, language)}
            </Text>
          </li>
        ))}
        {uploads.map((upload) => (
          <UploadRow
            key={upload.id}
            upload={upload}
            onRetry={() => retry(upload)}
            onRemove={() => remove(upload.id)}
          />
        ))}
      </ul>
    </Stack>
  );
}
