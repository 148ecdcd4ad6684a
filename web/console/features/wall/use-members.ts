import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import type { AgentItem } from '../../../shared/socket';
import { useApi, useConsole } from '../../state/console-context';
import { useSignalValue } from '../../ui/use-signal-value';

/** Members change seldom; their states come by the socket. */
const STALE_MS = 300_000;

/** The states of the members of a department; null while they are not known. */
export function useMemberStates(departmentId: string, isShown: boolean): AgentItem['state'][] | null {
  const api = useApi();
  const agents = useSignalValue(useConsole().queue.agents);
  const { data } = useQuery({
    queryKey: ['departments', departmentId, 'agents'],
    queryFn: async () => {
      const query = { department_id: departmentId };
      const members = await unwrap(api.GET('/api/v1/agents', { params: { query } }));
      return new Set(members.data.map(({ user_id }) => user_id));
    },
    staleTime: STALE_MS,
    enabled: isShown,
  });
  return data ? agents.filter(({ user_id }) => data.has(user_id)).map(({ state }) => state) : null;
}
