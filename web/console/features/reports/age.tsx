import { Button, Group, Text } from '@mantine/core';
import { useIsFetching } from '@tanstack/react-query';
import { shownZone } from '../../../shared/zones';
import { useLanguage } from '../../texts/language';
import { formatTimeAs } from '../../ui/dates';
import { reportTexts } from './texts/texts';
import { REPORTS_KEY, useReportRefresh, type ReportMeta } from './use-reports';

/**
 * Which period the figures are of, and how old they are: those of a period that goes on are counted when they are read, and those
 * of one that has ended stay the same.
 */
export function ReportAge({ meta, fetchedAt }: { meta: ReportMeta; fetchedAt: number }) {
  const texts = reportTexts.use();
  const language = useLanguage();
  const timezone = shownZone(meta.timezone);
  const from = formatTimeAs('date', meta.from, language, timezone);
  // The end is exclusive.
  const last = formatTimeAs('date', Date.parse(meta.until) - 1, language, timezone);
  const computedAt = formatTimeAs('dateTime', fetchedAt, language, timezone);
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" role="status" data-testid="report-age">
        {from === last ? from : texts.fromTo(from, last)} ({timezone}). {texts.asOf(computedAt)}
      </Text>
      <RefreshButton />
    </Group>
  );
}

function RefreshButton() {
  const texts = reportTexts.use();
  const refresh = useReportRefresh();
  const isBusy = useIsFetching({ queryKey: REPORTS_KEY }) > 0;
  return (
    <Button
      variant="default"
      size="xs"
      loading={isBusy}
      onClick={() => void refresh()}
      data-testid="report-refresh"
    >
      {texts.refresh}
    </Button>
  );
}
