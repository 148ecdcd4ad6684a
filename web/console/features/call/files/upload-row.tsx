import { Button, Group, Progress, Text } from '@mantine/core';
import { useCommonTexts } from '../../../texts/texts';
import type { CallUpload } from '../../../state/uploads/call-uploads';
import { callTexts } from '../texts/texts';
import { useUploadProblem } from './use-upload-problem';

interface UploadRowProps {
  upload: CallUpload;
  onRetry: () => void;
  onCancel: () => void;
}

export function UploadRow({ upload: { file, share, error, hasEnded }, onRetry, onCancel }: UploadRowProps) {
  const { files: labels } = callTexts.use();
  const common = useCommonTexts();
  const problemOf = useUploadProblem();
  return (
    <li data-testid="upload">
      <Text size="sm" truncate>
        {file.name}
      </Text>
      {error && (
        <Text size="sm" c="red" role={hasEnded ? 'alert' : 'status'}>
          {hasEnded ? problemOf(error) : labels.again}
        </Text>
      )}
      {!hasEnded && <Progress value={share * 100} aria-label={labels.uploading(file.name)} />}
      <Group gap="xs">
        {hasEnded && (
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            {common.retry}
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" aria-label={labels.cancel(file.name)} onClick={onCancel}>
          {common.cancel}
        </Button>
      </Group>
    </li>
  );
}
