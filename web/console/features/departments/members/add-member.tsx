import { Button, Group, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { ProblemNotice } from '../../../ui/problem-notice';
import { useAttempt } from '../../../ui/use-attempt';
import { departmentTexts } from '../texts/texts';

interface AddMemberProps {
  departmentId: string;
  members: readonly { id: string }[];
  onAdded: () => Promise<unknown>;
}

const MAX_FOUND = 50;
const TYPING_MS = 250;

/** Finds a user by name or e-mail, and makes them a member. */
export function AddMember({ departmentId, members, onAdded }: AddMemberProps) {
  const texts = departmentTexts.use().members;
  const api = useApi();
  const attempt = useAttempt();
  const [userId, setUserId] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, TYPING_MS);
  const { data, error, refetch } = useQuery({
    queryKey: ['users', 'found', search],
    queryFn: () =>
      unwrap(
        api.GET('/api/v1/users', { params: { query: { page_size: MAX_FOUND, ...(search && { search }) } } }),
      ),
    placeholderData: keepPreviousData,
  });
  const known = new Set(members.map(({ id }) => id));
  const choices = (data?.data ?? []).filter(({ id, active }) => active && !known.has(id));
  const add = async () => {
    if (!userId) return;
    const params = { path: { department_id: departmentId } };
    await unwrap(
      api.POST('/api/v1/departments/{department_id}/users', { params, body: { user_id: userId } }),
    );
    setUserId(null);
    setTyped('');
    await onAdded();
  };
  return (
    <>
      <ProblemNotice error={error} onRetry={refetch} />
      <Group align="end">
        <Select
          label={texts.add}
          placeholder={texts.search}
          data={choices.map(({ id, name, email }) => ({ value: id, label: `${name}, ${email}` }))}
          // The service has searched already.
          filter={({ options }) => options}
          searchable
          searchValue={typed}
          onSearchChange={setTyped}
          value={userId}
          onChange={setUserId}
          nothingFoundMessage={texts.nobody}
          w="min(26rem, 100%)"
          data-testid="add-member"
        />
        <Button disabled={userId === null} onClick={() => attempt(add)} data-testid="add-member-submit">
          {texts.submit}
        </Button>
      </Group>
    </>
  );
}
