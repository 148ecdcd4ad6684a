import { Button, Group, Progress, Text } from '@mantine/core';
import { useCommonTexts } from '../../../texts/texts';
import { callTexts } from '../texts/texts';
import { useUploadProblem } from './use-upload-problem';
import type { Upload } from './use-uploads';

interface UploadRowProps {
  upload: Upload;
  onRetry: () => void;
  onRemove: () => void;
}

/** A file on its way to the service. */
export function UploadRow({ upload: { file, share, error }, onRetry, onRemove }: UploadRowProps) {
  const { files: labels } = callTexts.use();
  const common = useCommonTexts();
  const problemOf = useUploadProblem();
  return (
    <li data-testid="upload">
      <Text size="sm" truncate>
        {file.name}
      </Text>
      {error ? (
        <>
          <Text size="sm" c="red" role="alert">
            {problemOf(error)}
          </Text>
          <Group gap="xs">
            <Button size="compact-sm" variant="default" onClick={onRetry}>
              {common.retry}
            </Button>
            <Button size="compact-sm" variant="subtle" onClick={onRemove}>
              {common.cancel}
            </Button>
          </Group>
        </>
      ) : (
        <Progress value={share * 100} aria-label={labels.uploading(file.name)} />
      )}
    </li>
  );
}
