import { useQuery } from '@tanstack/react-query';
import { unwrap, type Api, type components } from '../../shared/api/client';
import { useApi, useHasRole } from './console-context';

export type Department = components['schemas']['DepartmentDto'];

const PAGE_SIZE = 100;
const STALE_MS = 60_000;

/** All departments by name. Attendants may not list them: they get none. */
export function useDepartments(): readonly Department[] {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['departments', 'all'],
    queryFn: () => listAll(api),
    staleTime: STALE_MS,
    enabled: useHasRole('supervisor'),
  });
  return data ?? NONE;
}

const NONE: readonly Department[] = [];

async function listAll(api: Api): Promise<Department[]> {
  const found: Department[] = [];
  for (let page = 1; ; page++) {
    const query = { page, page_size: PAGE_SIZE, sort_by: 'name' as const };
    const { data, meta } = await unwrap(api.GET('/api/v1/departments', { params: { query } }));
    found.push(...data);
    if (page >= meta.total_pages) return found;
  }
}
