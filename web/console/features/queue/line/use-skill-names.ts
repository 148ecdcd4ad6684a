import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import type { DepartmentQueue } from '../../../../shared/socket';
import { useApi } from '../../../state/console-context';

const NO_NAMES: ReadonlyMap<string, string> = new Map();
const STALE_MS = 300_000;

/** The names of skills by id, loaded once somebody waits who needs one. */
export function useSkillNames(queues: readonly DepartmentQueue[]): ReadonlyMap<string, string> {
  const api = useApi();
  const isNeeded = queues.some(({ calls }) => calls?.some(({ skills }) => skills && skills.length > 0));
  const { data = NO_NAMES } = useQuery({
    queryKey: ['skills', 'names'],
    enabled: isNeeded,
    staleTime: STALE_MS,
    queryFn: async () => {
      const { data: skills } = await unwrap(
        api.GET('/api/v1/skills', { params: { query: { page_size: 100 } } }),
      );
      return new Map(skills.map(({ id, name }) => [id, name]));
    },
  });
  return data;
}
