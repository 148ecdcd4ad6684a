import { Skeleton } from '@mantine/core';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { SettingsForm } from './settings-form';
import { settingsTexts } from './texts/texts';
import { useTenant } from './use-tenant';

/** The settings of the company. */
export default function SettingsPage() {
  const texts = settingsTexts.use();
  const { data: tenant, isPending, error, refetch } = useTenant();
  return (
    <Page title={texts.title}>
      <ProblemNotice error={error} onRetry={refetch} />
      {isPending && <Skeleton height={400} />}
      {tenant && <SettingsForm tenant={tenant} />}
    </Page>
  );
}
