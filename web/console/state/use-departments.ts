import { useQuery } from '@tanstack/react-query';
import { unwrap, type components } from '../../shared/api/client';
import { useApi, useHasRole } from './console-context';
import { fetchAll } from './fetch-all';

export type Department = components['schemas']['DepartmentDto'];

/** Of all lists of departments, and of each one. */
export const DEPARTMENTS_KEY = ['departments'];

/** All departments of the company, by name. Attendants may not list them: they get none. */
export function useDepartments() {
  const api = useApi();
  return useQuery({
    queryKey: [...DEPARTMENTS_KEY, 'all'],
    enabled: useHasRole('supervisor'),
    queryFn: () =>
      fetchAll<Department>((query) => unwrap(api.GET('/api/v1/departments', { params: { query } }))),
  });
}

const NONE: readonly Department[] = [];

/** As `useDepartments`, for what can do without them: none until they are loaded. */
export const useDepartmentList = (): readonly Department[] => useDepartments().data ?? NONE;
