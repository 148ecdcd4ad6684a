import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useCommonTexts } from '../../texts/texts';
import { useLanguage } from '../../texts/language';
import { formatNumber } from '../../ui/numbers';
import { ProblemNotice } from '../../ui/problem-notice';
import { exportTexts } from './texts/texts';
import type { Download } from './use-download';

interface DownloadProgressProps {
  download: Download;
  /** How many rows there will be, if that is known. */
  expected: number | undefined;
  onCancel: () => void;
}

/** How far the export is, or how it ended. */
export function DownloadProgress({ download, expected, onCancel }: DownloadProgressProps) {
  const texts = exportTexts.use();
  const common = useCommonTexts();
  const language = useLanguage();
  const { state, progress, error } = download;
  const size = formatNumber(progress.bytes / 1_000_000, language, { maximumFractionDigits: 1 });
  const rows = formatNumber(progress.rows, language);
  if (state === 'running')
    return (
      <Stack gap="xs" data-testid="export-running">
        <Progress
          value={expected ? Math.min(100, (progress.rows / expected) * 100) : 100}
          animated={!expected}
          striped={!expected}
          aria-label={texts.progress}
        />
        <Group justify="space-between">
          <Text size="sm">
            {texts.running(rows, expected ? formatNumber(expected, language) : null, size)}
          </Text>
          <Button variant="default" size="xs" onClick={onCancel} data-testid="export-cancel">
            {common.cancel}
          </Button>
        </Group>
      </Stack>
    );
  return (
    <div role="status">
      {state === 'done' && (
        <Alert color="green" data-testid="export-done">
          {texts.done(rows, size)}
        </Alert>
      )}
      {state === 'cancelled' && <Alert color="gray">{texts.cancelled}</Alert>}
      <ProblemNotice error={state === 'failed' ? error : null} />
    </div>
  );
}
