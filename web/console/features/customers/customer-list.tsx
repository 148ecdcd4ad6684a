import { TextInput } from '@mantine/core';
import { unwrap, type paths } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useZone } from '../../state/use-zone';
import { useLanguage } from '../../texts/language';
import { useCommonTexts } from '../../texts/texts';
import { formatDateTime } from '../../ui/dates';
import { LongList } from '../../ui/table/long-list';
import type { Column } from '../../ui/table/long-list.types';
import { useSearchField } from '../../ui/use-search-field';
import { customerTexts } from './texts/texts';
import { CUSTOMERS_KEY, type Customer } from './use-customers';

type Query = paths['/api/v1/customers']['get']['parameters']['query'];

interface CustomerListProps {
  search: string;
  onSearch: (search: string) => void;
}

export function CustomerList({ search, onSearch }: CustomerListProps) {
  const texts = customerTexts.use();
  const common = useCommonTexts();
  const language = useLanguage();
  const zone = useZone()?.name;
  const api = useApi();
  const field = useSearchField(search, onSearch);
  const columns: Column<Customer>[] = [
    {
      key: 'name',
      header: texts.name,
      width: 'minmax(12rem, 2fr)',
      sortBy: 'name',
      cell: ({ name }) => name,
    },
    {
      key: 'email',
      header: texts.email,
      width: 'minmax(12rem, 2fr)',
      sortBy: 'email',
      cell: ({ email }) => email,
    },
    { key: 'phone', header: texts.phone, width: '13rem', sortBy: 'phone', cell: ({ phone }) => phone },
    {
      key: 'calls',
      header: texts.calls,
      width: '7rem',
      sortBy: 'call_count',
      cell: ({ call_count }) => call_count,
    },
    {
      key: 'last',
      header: texts.lastCall,
      width: '12rem',
      sortBy: 'last_call_at',
      cell: ({ last_call_at }) => formatDateTime(last_call_at, language, zone),
    },
  ];
  return (
    <>
      <TextInput
        type="search"
        label={common.search}
        description={texts.searchHint}
        maxLength={255}
        {...field}
        data-testid="customer-search"
        style={{ maxInlineSize: '28rem' }}
      />
      <LongList
        label={texts.title}
        columns={columns}
        queryKey={[...CUSTOMERS_KEY, 'list', search]}
        fetchPage={(page) =>
          unwrap(
            api.GET('/api/v1/customers', {
              params: { query: { ...page, ...(search && { search }) } as Query },
            }),
          )
        }
        sorting={{ by: 'name', order: 'asc' }}
        to={({ id }) => `/customers/${id}`}
        empty={search ? texts.noneFound(search) : texts.empty}
        testId="customers"
      />
    </>
  );
}
