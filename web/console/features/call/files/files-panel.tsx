import { Button, FileButton as FileChooser, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { fetchAll } from '../../../state/fetch-all';
import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { formatTime } from '../../../ui/dates';
import { FileButton } from '../../../ui/files/file-button';
import { formatSize } from '../../../ui/files/format-size';
import { ProblemNotice } from '../../../ui/problem-notice';
import { callTexts } from '../texts/texts';
import { UploadRow } from './upload-row';
import { filesKey, useUploads } from './use-uploads';

/** The files of a call: photographs of a damage, a contract. */
export function FilesPanel({ callId }: { callId: string }) {
  const { files: labels } = callTexts.use();
  const api = useApi();
  const language = useLanguage();
  const zone = useZone()?.name;
  const { uploads, start, retry, cancel } = useUploads(callId);
  const {
    data: files = [],
    isPending,
    error,
    refetch,
  } = useQuery({
    queryKey: filesKey(callId),
    queryFn: () =>
      fetchAll((query) =>
        unwrap(api.GET('/api/v1/calls/{call_id}/files', { params: { path: { call_id: callId }, query } })),
      ),
  });
  const isEmpty = !isPending && !error && files.length === 0 && uploads.length === 0;
  return (
    <Stack gap="xs">
      <Group>
        <FileChooser multiple onChange={start} inputProps={{ 'data-testid': 'file-input' } as object}>
          {(button) => (
            <Button variant="default" size="sm" {...button}>
              {labels.add}
            </Button>
          )}
        </FileChooser>
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
            <FileButton file={file} label={labels.download(file.filename)} />
            <Text size="xs" c="dimmed">
              {formatSize(file.size, language)} · {formatTime(file.inserted_at, language, zone)}
            </Text>
          </li>
        ))}
        {uploads.map((upload) => (
          <UploadRow
            key={upload.id}
            upload={upload}
            onRetry={() => retry(upload)}
            onCancel={() => cancel(upload.id)}
          />
        ))}
      </ul>
    </Stack>
  );
}
