import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';

const SHOWN = 20;
const TYPING_MS = 250;

/** Finds a customer by name, e-mail, phone or document. Its value is the id. */
export function CustomerSelect({ value, ...select }: Omit<SelectProps, 'data'>) {
  const texts = useCommonTexts();
  const api = useApi();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, TYPING_MS);
  const { data: chosen } = useQuery({
    queryKey: ['customers', 'one', value],
    enabled: Boolean(value),
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/customers/{id}', { params: { path: { id: value ?? '' } } }))).data,
  });
  const { data: found = [], isFetching } = useQuery({
    queryKey: ['customers', 'choice', search],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const query = { page_size: SHOWN, ...(search && { search }) };
      return (await unwrap(api.GET('/api/v1/customers', { params: { query } }))).data;
    },
  });
  const customers =
    chosen && !found.some(({ id }) => id === chosen.id) && !(search && value !== chosen.id)
      ? [chosen, ...found]
      : found;
  return (
    <Select
      searchable
      clearable
      data={customers.map(({ id, name, email, phone }) => ({
        value: id,
        label: [name, email ?? phone].filter(Boolean).join(' · '),
      }))}
      // The service has searched already, also in what the label does not show.
      filter={({ options }) => options}
      onSearchChange={(text) => setTyped(isLabelOf(text, chosen) ? '' : text)}
      nothingFoundMessage={isFetching ? texts.loading : texts.none}
      value={value}
      {...select}
    />
  );
}

/** After a choice the field holds its label, which is not searched for. */
const isLabelOf = (text: string, chosen: { name: string } | undefined): boolean =>
  text.includes(' · ') || text === chosen?.name;
