import { useMemo } from 'react';
import { useConsole } from '../../../state/console-context';
import { useDepartmentList } from '../../../state/use-departments';
import { useSignalValue } from '../../../ui/use-signal-value';
import type { Names } from './facts';
import type { TimelineEntry } from './timeline.types';

/** Names of the ids in entries: from the entries themselves, the colleagues and the departments that the user may list. */
export function useNames(entries: readonly TimelineEntry[]): Names {
  const departments = useDepartmentList();
  const agents = useSignalValue(useConsole().queue.agents);
  return useMemo(() => {
    const users = new Map(agents.map(({ user_id, name }) => [user_id, name]));
    for (const { user_id, user_name } of entries) if (user_id && user_name) users.set(user_id, user_name);
    const lines = new Map(departments.map(({ id, name }) => [id, name]));
    return { user: (id) => users.get(id), department: (id) => lines.get(id) };
  }, [entries, agents, departments]);
}
