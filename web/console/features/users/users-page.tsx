import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi, useHasRole } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { Page } from '../../ui/page';
import { LongList } from '../../ui/table/long-list';
import { useFilters } from '../../ui/use-filters';
import { useSearchField } from '../../ui/use-search-field';
import { InviteDialog } from './invite-dialog';
import { InviteSeveralDialog } from './invite-several-dialog';
import { userTexts } from './texts/texts';
import { useUserColumns } from './use-user-columns';
import { ROLES, USERS_KEY, type User } from './user';
import { UserDialog } from './user-dialog';

const NO_FILTERS = { search: '', role: '' };

/** The staff of the company. Managers invite and edit them, supervisors set their skills. */
export default function UsersPage() {
  const texts = userTexts.use();
  const common = useCommonTexts();
  const api = useApi();
  const isManager = useHasRole('manager');
  const [filters, change] = useFilters(NO_FILTERS);
  const field = useSearchField(filters.search, (search) => change({ search }));
  const [opened, setOpened] = useState<User | 'new' | 'several' | null>(null);
  const close = () => setOpened(null);
  const query = {
    ...(filters.search && { search: filters.search }),
    ...(filters.role && { role: filters.role }),
  };
  return (
    <Page
      title={texts.title}
      actions={
        isManager && (
          <>
            <Button variant="default" onClick={() => setOpened('several')} data-testid="invite-several">
              {texts.several}
            </Button>
            <Button onClick={() => setOpened('new')} data-testid="invite">
              {texts.invite}
            </Button>
          </>
        )
      }
    >
      <Group align="end">
        <TextInput
          type="search"
          label={common.search}
          description={texts.searchText}
          data-testid="search"
          {...field}
        />
        <NativeSelect
          label={texts.role}
          data={[
            { value: '', label: common.all },
            ...ROLES.map((value) => ({ value, label: common.roles[value] })),
          ]}
          value={filters.role}
          onChange={({ currentTarget }) => change({ role: currentTarget.value })}
        />
      </Group>
      <LongList
        label={texts.title}
        columns={useUserColumns()}
        queryKey={[...USERS_KEY, query]}
        fetchPage={(page) =>
          unwrap(api.GET('/api/v1/users', { params: { query: { ...page, ...query } as never } }))
        }
        sorting={{ by: 'name', order: 'asc' }}
        onOpen={setOpened}
        empty={<Text>{texts.empty}</Text>}
        testId="users"
      />
      {opened === 'new' && <InviteDialog onClose={close} />}
      {opened === 'several' && <InviteSeveralDialog onClose={close} />}
      {typeof opened === 'object' && opened && <UserDialog user={opened} onClose={close} />}
    </Page>
  );
}
