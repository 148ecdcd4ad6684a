import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';

const STALE_MS = 60_000;

/** @param isNeeded whether they are loaded. @returns the name of a skill; undefined while it is not known */
export function useSkillNames(isNeeded: boolean): (id: string) => string | undefined {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['skills', 'names'],
    queryFn: async () => {
      const query = { page_size: 100 };
      return (await unwrap(api.GET('/api/v1/skills', { params: { query } }))).data;
    },
    staleTime: STALE_MS,
    enabled: isNeeded,
  });
  return (id) => data?.find((skill) => skill.id === id)?.name;
}
