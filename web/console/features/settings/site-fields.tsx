import { Code, NativeSelect, TagsInput, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { CopyText } from '../../ui/copy-text';
import { FormGroup } from '../../ui/form/form-group';
import { ProblemNotice } from '../../ui/problem-notice';
import { embedSnippet, isEmbeddable } from './embed-snippet';
import type { SettingsValues } from './form-values';
import './styles';
import { settingsTexts } from './texts/texts';

const MAX_LINKS = 100;

/** The sites that may show the customer's page, and what to put into them. */
export function SiteFields({ form }: { form: UseFormReturnType<SettingsValues> }) {
  const texts = settingsTexts.use();
  const api = useApi();
  const [chosen, setChosen] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: ['access-links', 'embeddable'],
    queryFn: () =>
      unwrap(
        api.GET('/api/v1/access-links', { params: { query: { status: 'active', page_size: MAX_LINKS } } }),
      ),
  });
  const links = data?.data.filter(isEmbeddable) ?? [];
  const link = links.find(({ id }) => id === chosen) ?? links[0];
  const snippet = link && embedSnippet(link.url);
  return (
    <FormGroup title={texts.sites} text={texts.sitesText}>
      <TagsInput
        label={texts.allowedSites}
        description={texts.allowedSitesText}
        placeholder="https://www.example.com"
        data-testid="allowed-sites"
        {...form.getInputProps('allowed_sites')}
      />
      <ProblemNotice error={error} onRetry={refetch} />
      {data && !link && <Text size="sm">{texts.noLink}</Text>}
      {snippet && (
        <>
          <NativeSelect
            label={texts.link}
            description={texts.linkText}
            data={links.map(({ id, label, department_name }) => ({
              value: id,
              label: label ?? department_name,
            }))}
            value={link.id}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          />
          <Code
            block
            // Scrolled by the keyboard.
            tabIndex={0}
            data-testid="snippet"
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
          >
            {snippet}
          </Code>
          <CopyText text={snippet} style={{ alignSelf: 'start' }} />
        </>
      )}
    </FormGroup>
  );
}
