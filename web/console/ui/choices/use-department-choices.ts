import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi, useConsole, useHasRole } from '../../state/console-context';
import { useDepartmentList } from '../../state/use-departments';
import { useSignalValue } from '../use-signal-value';
import { namesOfDepartments, type Choice } from './departments.rules';

const MAX_READ = 100;

/**
 * The active departments that the user can choose. Attendants may not list them: theirs are those whose queues they see.
 * A name that the queue does not tell comes from its links.
 */
export function useDepartmentChoices(): Choice[] {
  const api = useApi();
  const isSupervisor = useHasRole('supervisor');
  const queues = useSignalValue(useConsole().queue.queues);
  const listed = useDepartmentList();
  const links = useQuery({
    queryKey: ['departments', 'named'],
    enabled: !isSupervisor && queues.some(({ department_name }) => !department_name),
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/access-links', { params: { query: { page_size: MAX_READ } } }))).data,
  });
  if (isSupervisor)
    return listed.filter(({ active }) => active).map(({ id, name }) => ({ value: id, label: name }));
  return namesOfDepartments(
    queues.map(({ department_id }) => department_id),
    [...queues, ...(links.data ?? [])],
  );
}
