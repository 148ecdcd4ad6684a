import { Badge, Group } from '@mantine/core';
import { useState } from 'react';
import { unwrap, type paths } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useZone } from '../../state/use-zone';
import { useLanguage } from '../../texts/language';
import { formatDate, formatTime } from '../../ui/dates';
import { Page } from '../../ui/page';
import { LongList } from '../../ui/table/long-list';
import type { Column } from '../../ui/table/long-list.types';
import { useFilters } from '../../ui/use-filters';
import { AuditFilterBar } from './audit-filters';
import { EntryDrawer } from './entry-drawer';
import { DEFAULT_FILTERS, queryOf } from './audit-query';
import { auditTexts } from './texts/texts';
import { entrySentence, type AuditEntry } from './entry-sentence';

type Query = paths['/api/v1/audit-log']['get']['parameters']['query'];

/** Who has done what. */
export default function AuditPage() {
  const texts = auditTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  const api = useApi();
  const [filters, change] = useFilters(DEFAULT_FILTERS);
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  const columns: Column<AuditEntry>[] = [
    {
      key: 'inserted_at',
      header: texts.time,
      width: '13rem',
      sortBy: 'inserted_at',
      cell: ({ inserted_at: at }) => `${formatDate(at, language, zone)}, ${formatTime(at, language, zone)}`,
    },
    {
      key: 'user_name',
      header: texts.user,
      width: 'minmax(8rem, 1fr)',
      sortBy: 'user_name',
      cell: ({ user_name }) => user_name ?? texts.nobody,
    },
    {
      key: 'action',
      header: texts.action,
      width: 'minmax(14rem, 3fr)',
      sortBy: 'action',
      cell: (entry) => entrySentence(entry, texts),
    },
    {
      key: 'subject',
      header: texts.subject,
      width: '9rem',
      sortBy: 'subject_type',
      cell: ({ subject_type }) => (
        <Badge variant="default" tt="none">
          {(texts.subjects as Readonly<Record<string, string>>)[subject_type] ?? subject_type}
        </Badge>
      ),
    },
    {
      key: 'address',
      header: texts.address,
      width: '9.5rem',
      sortBy: 'address',
      cell: ({ address }) => address,
    },
  ];
  return (
    <Page title={texts.title}>
      <Group align="start">
        <AuditFilterBar filters={filters} onChange={change} />
      </Group>
      <LongList
        label={texts.title}
        columns={columns}
        queryKey={['audit', filters]}
        fetchPage={(query) =>
          unwrap(
            api.GET('/api/v1/audit-log', {
              params: { query: { ...query, ...queryOf(filters) } as Query },
            }),
          )
        }
        onOpen={setOpened}
        empty={texts.empty}
        testId="audit"
      />
      {opened && (
        <EntryDrawer
          entry={opened}
          onClose={() => setOpened(null)}
          onFilter={(filter) => {
            setOpened(null);
            change({ ...DEFAULT_FILTERS, ...filter });
          }}
        />
      )}
    </Page>
  );
}
