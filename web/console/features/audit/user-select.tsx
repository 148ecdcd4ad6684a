import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';

const TYPING_MS = 250;
const SHOWN = 50;

interface UserSelectProps {
  label: string;
  /** The id; empty for all. */
  value: string;
  onChange: (id: string) => void;
}

/** Chooses one of any number of users: the service searches. */
export function UserSelect({ label, value, onChange }: UserSelectProps) {
  const common = useCommonTexts();
  const api = useApi();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, TYPING_MS);
  const { data: chosen } = useQuery({
    queryKey: ['users', 'name', value],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/users/{id}', { params: { path: { id: value } } }))).data,
    enabled: value !== '',
    staleTime: Infinity,
  });
  const { data: found } = useQuery({
    queryKey: ['users', 'search', search],
    queryFn: () =>
      unwrap(
        api.GET('/api/v1/users', { params: { query: { page_size: SHOWN, ...(search && { search }) } } }),
      ),
    placeholderData: keepPreviousData,
  });
  const users = new Map((found?.data ?? []).map(({ id, name }) => [id, name]));
  if (value && chosen) users.set(chosen.id, chosen.name);
  return (
    <Select
      label={label}
      placeholder={common.all}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': common.all }}
      data={[...users].map(([id, name]) => ({ value: id, label: name }))}
      // The service has filtered them already.
      filter={({ options }) => options}
      value={value || null}
      onSearchChange={(text) => setTyped(text === chosen?.name ? '' : text)}
      onChange={(id) => onChange(id ?? '')}
      data-testid="audit-user"
    />
  );
}
