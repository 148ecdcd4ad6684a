import { Group, NativeSelect, TextInput } from '@mantine/core';
import { unwrap, type paths } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useZone } from '../../state/use-zone';
import { useLanguage } from '../../texts/language';
import { useCommonTexts } from '../../texts/texts';
import { useDepartmentChoices } from '../../ui/choices/use-department-choices';
import { formatDateTime } from '../../ui/dates';
import { LongList } from '../../ui/table/long-list';
import type { Column } from '../../ui/table/long-list.types';
import { useFilters } from '../../ui/use-filters';
import { useSearchField } from '../../ui/use-search-field';
import { LinkStatusBadge } from './link-status-badge';
import { linkTexts } from './texts/texts';
import { LINK_STATUSES, LINKS_KEY, type AccessLink } from './use-links';

type Query = paths['/api/v1/access-links']['get']['parameters']['query'];

const FILTERS = { search: '', status: '', department_id: '' };

export function LinkList({ onOpen }: { onOpen: (link: AccessLink) => void }) {
  const texts = linkTexts.use();
  const common = useCommonTexts();
  const api = useApi();
  const departments = useDepartmentChoices();
  const columns = useColumns();
  const [filters, change] = useFilters(FILTERS);
  const field = useSearchField(filters.search, (search) => change({ search }));
  const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
  return (
    <>
      <Group align="end">
        <TextInput type="search" label={texts.searchLabel} maxLength={255} {...field} />
        <NativeSelect
          label={texts.status}
          value={filters.status}
          onChange={({ currentTarget }) => change({ status: currentTarget.value })}
          data={[
            { value: '', label: common.all },
            ...LINK_STATUSES.map((status) => ({ value: status, label: texts.statuses[status] })),
          ]}
        />
        <NativeSelect
          label={texts.department}
          value={filters.department_id}
          onChange={({ currentTarget }) => change({ department_id: currentTarget.value })}
          data={[{ value: '', label: common.all }, ...departments]}
        />
      </Group>
      <LongList
        label={texts.title}
        columns={columns}
        queryKey={[...LINKS_KEY, 'list', chosen]}
        fetchPage={(page) =>
          unwrap(api.GET('/api/v1/access-links', { params: { query: { ...page, ...chosen } as Query } }))
        }
        sorting={{ by: 'inserted_at', order: 'desc' }}
        onOpen={onOpen}
        empty={Object.keys(chosen).length > 0 ? texts.noneFound : texts.empty}
        testId="links"
      />
    </>
  );
}

function useColumns(): Column<AccessLink>[] {
  const texts = linkTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  return [
    {
      key: 'label',
      header: texts.label,
      width: 'minmax(11rem, 2fr)',
      sortBy: 'label',
      cell: ({ label }) => label || texts.noLabel,
    },
    {
      key: 'department',
      header: texts.department,
      width: 'minmax(9rem, 1fr)',
      sortBy: 'department_name',
      cell: ({ department_name }) => department_name,
    },
    {
      key: 'status',
      header: texts.status,
      width: '7.5rem',
      sortBy: 'status',
      cell: ({ status }) => <LinkStatusBadge status={status} />,
    },
    {
      key: 'uses',
      header: texts.uses,
      width: '6rem',
      sortBy: 'use_count',
      cell: ({ use_count, max_uses }) => texts.usesOf(use_count, max_uses),
    },
    {
      key: 'expires',
      header: texts.expires,
      width: '10.5rem',
      sortBy: 'expires_at',
      cell: ({ expires_at }) => formatDateTime(expires_at, language, zone) || texts.never,
    },
    {
      key: 'created',
      header: texts.created,
      width: '10.5rem',
      sortBy: 'inserted_at',
      cell: ({ inserted_at }) => formatDateTime(inserted_at, language, zone),
    },
  ];
}
