import { useQuery } from '@tanstack/react-query';
import { unwrap, type components } from '../../../shared/api/client';
import { useApi, useConsole, useHasRole, useUser } from '../../state/console-context';
import { fetchAll } from '../../state/fetch-all';
import { useSignalValue } from '../use-signal-value';
import type { Choice } from './departments.rules';

type User = components['schemas']['UserDto'];

/** The users who can be chosen as agents. Attendants may not list users: theirs are those whom they see in their queues. */
export function useAgents(): Choice[] {
  const api = useApi();
  const self = useUser();
  const isSupervisor = useHasRole('supervisor');
  const seen = useSignalValue(useConsole().queue.agents);
  const listed = useQuery({
    queryKey: ['users', 'choice'],
    enabled: isSupervisor,
    queryFn: () =>
      fetchAll<User>((page) => {
        const query = { ...page, active: true, sort_by: 'name', sort_order: 'asc' } as const;
        return unwrap(api.GET('/api/v1/users', { params: { query } }));
      }),
  });
  const others = isSupervisor
    ? (listed.data ?? [])
    : seen.map(({ user_id, name }) => ({ id: user_id, name }));
  return [self, ...others.filter(({ id }) => id !== self.id)].map(({ id, name }) => ({
    value: id,
    label: name,
  }));
}
