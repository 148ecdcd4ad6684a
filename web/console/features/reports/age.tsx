import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi, useHasRole } from '../../state/console-context';
import { useLanguage } from '../../texts/language';
import { useAttempt } from '../../ui/use-attempt';
import { formatIn } from './format-in';
import { reportTexts } from './texts/texts';
import { REPORTS_KEY, type ReportMeta } from './use-reports';

/** Which period the figures are of, and how old they are. */
export function ReportAge({ meta, fetchedAt }: { meta: ReportMeta; fetchedAt: number }) {
  const texts = reportTexts.use();
  const language = useLanguage();
  const { timezone } = meta;
  const from = formatIn(timezone, meta.from, language, 'date');
  // The end is exclusive.
  const last = formatIn(timezone, Date.parse(meta.until) - 1, language, 'date');
  const computedAt = formatIn(timezone, meta.refreshed_at ?? fetchedAt, language, 'dateTime');
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
  const api = useApi();
  const queries = useQueryClient();
  const attempt = useAttempt();
  const isManager = useHasRole('manager');
  const [isBusy, setBusy] = useState(false);
  if (!isManager) return null;
  const refresh = async () => {
    setBusy(true);
    try {
      await unwrap(api.POST('/api/v1/analytics/refresh-views'));
      await queries.invalidateQueries({ queryKey: REPORTS_KEY });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      size="xs"
      loading={isBusy}
      onClick={() => attempt(refresh)}
      data-testid="report-refresh"
    >
      {texts.refresh}
    </Button>
  );
}
