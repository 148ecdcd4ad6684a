import { SimpleGrid, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { PageForm, notifySuccess } from '../../ui/form/page-form';
import { useSave } from '../../ui/form/use-save';
import { AppearanceFields } from './appearance/appearance-fields';
import { CallFields } from './call-fields';
import { CompanyFields } from './company-fields';
import { toBody, toValues, type SettingsValues } from './form-values';
import { PrivacyFields } from './privacy-fields';
import { SecurityFields } from './security-fields';
import { SiteFields } from './site-fields';
import { ME_KEY } from '../../state/use-me';
import { settingsTexts } from './texts/texts';
import { TENANT_KEY, type Tenant } from './use-tenant';

export function SettingsForm({ tenant }: { tenant: Tenant }) {
  const texts = settingsTexts.use();
  const common = useCommonTexts();
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm<SettingsValues>({
    initialValues: toValues(tenant),
    validate: { service_level_seconds: (value) => (value === '' ? texts.numberMissing : null) },
  });
  const save = useSave({
    form,
    send: (values) => unwrap(api.PUT('/api/v1/tenant', { body: toBody(values) })),
    // Sites become origins.
    stored: ({ data }) => toValues(data),
    done: async ({ data }) => {
      queries.setQueryData(TENANT_KEY, data);
      // It has some of them, for all users.
      void queries.invalidateQueries({ queryKey: ME_KEY });
      notifySuccess(common.saved);
    },
  });
  return (
    <PageForm save={save}>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          <CompanyFields form={form} slug={tenant.slug} />
          <SecurityFields form={form} />
          <CallFields form={form} />
        </Stack>
        <Stack>
          <AppearanceFields form={form} tenant={tenant} />
          <PrivacyFields form={form} />
          <SiteFields form={form} />
        </Stack>
      </SimpleGrid>
    </PageForm>
  );
}
