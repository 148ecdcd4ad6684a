import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { unwrap, type components } from '../../shared/api/client';
import { useApi } from './console-context';
import { fetchAll } from './fetch-all';

export type Skill = components['schemas']['SkillDto'];

/** Of all queries about skills. */
export const SKILLS_KEY = ['skills'];

const STALE_NAMES_MS = 300_000;

/** @param options.isEnabled false while none is needed */
export function useSkills({ isEnabled = true, staleTime }: { isEnabled?: boolean; staleTime?: number } = {}) {
  const api = useApi();
  return useQuery({
    queryKey: [...SKILLS_KEY, 'all'],
    enabled: isEnabled,
    queryFn: () =>
      fetchAll<Skill>((page) => {
        const query = { ...page, sort_by: 'name', sort_order: 'asc' } as const;
        return unwrap(api.GET('/api/v1/skills', { params: { query } }));
      }),
    ...(staleTime !== undefined && { staleTime }),
  });
}

/** @param isNeeded whether they are loaded. @returns the names of the skills by id; empty until they are known */
export function useSkillNames(isNeeded: boolean): ReadonlyMap<string, string> {
  const { data } = useSkills({ isEnabled: isNeeded, staleTime: STALE_NAMES_MS });
  return useMemo(() => new Map(data?.map(({ id, name }) => [id, name])), [data]);
}
