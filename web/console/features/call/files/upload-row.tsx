import { Button, Group, Progress, Text } from '@mantine/core';
import { useCommonTexts } from '../../../texts/texts';
import { callTexts } from '../texts/texts';
import { useUploadProblem } from './use-upload-problem';
import type { Upload } from './use-uploads';

interface UploadRowProps {
  upload: Upload;
  onRetry: () => void;
  onCancel: () => void;
}

/** A file on its way to the service, or one that did not arrive. */
export function UploadRow({ upload: { file, share, error, hasEnded }, onRetry, onCancel }: UploadRowProps) {
  const { files: labels } = callTexts.use();
  const common = useCommonTexts();
  const problemOf = useUploadProblem();
  return (
    <li data-testid="upload">
      <Text size="sm" truncate>
        {file.name}
      </Text>
      {Boolean(error) && (
        <Text size="sm" c="red" role="alert">
          {problemOf(error)} {!hasEnded && labels.again}
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
