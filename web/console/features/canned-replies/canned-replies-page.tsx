import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi, useHasRole } from '../../state/console-context';
import { CANNED_REPLIES_KEY, type CannedReply } from '../../state/use-canned-replies';
import { useCommonTexts } from '../../texts/texts';
import { ImportOffer } from '../../ui/browser-replies/import-offer';
import { Page } from '../../ui/page';
import { fieldColumn } from '../../ui/table/field-column';
import { LongList } from '../../ui/table/long-list';
import type { Column } from '../../ui/table/long-list.types';
import { useFilters } from '../../ui/use-filters';
import { useSearchField } from '../../ui/use-search-field';
import { BrowserReplyList } from './browser-reply-list';
import { ReplyDialog } from './reply-dialog';
import { cannedReplyTexts } from './texts/texts';

const NO_FILTERS = { search: '' };

/** The company's texts for notes and chat messages. Supervisors write them. */
export default function CannedRepliesPage() {
  const texts = cannedReplyTexts.use();
  const common = useCommonTexts();
  const api = useApi();
  const mayWrite = useHasRole('supervisor');
  const [{ search }, change] = useFilters(NO_FILTERS);
  const field = useSearchField(search, (typed) => change({ search: typed }));
  const [edited, setEdited] = useState<CannedReply | 'new' | null>(null);
  const columns: Column<CannedReply>[] = [
    fieldColumn('title', texts.name, 'minmax(10rem, 1fr)'),
    fieldColumn('text', texts.text, 'minmax(16rem, 3fr)'),
    {
      key: 'shortcut',
      header: texts.shortcut,
      width: '9rem',
      sortBy: 'shortcut',
      cell: ({ shortcut }) => shortcut && `/${shortcut}`,
    },
  ];
  return (
    <Page
      title={texts.title}
      actions={
        mayWrite && (
          <Button onClick={() => setEdited('new')} data-testid="new-reply">
            {texts.create}
          </Button>
        )
      }
    >
      <Text size="sm">{texts.intro}</Text>
      <BrowserReplyList />
      <TextInput
        type="search"
        label={common.search}
        description={texts.searchText}
        data-testid="search"
        maw="20rem"
        {...field}
      />
      <LongList
        label={texts.title}
        columns={columns}
        queryKey={[...CANNED_REPLIES_KEY, 'list', search]}
        fetchPage={(page) =>
          unwrap(
            api.GET('/api/v1/canned-replies', {
              params: { query: { ...page, ...(search && { search }) } as never },
            }),
          )
        }
        sorting={{ by: 'title', order: 'asc' }}
        {...(mayWrite && { onOpen: setEdited })}
        empty={search ? texts.noneFound : texts.empty}
        testId="replies"
      />
      {edited !== null && (
        <ReplyDialog reply={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      <ImportOffer />
    </Page>
  );
}
