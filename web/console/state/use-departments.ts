import { useQuery } from '@tanstack/react-query';
import { unwrap, type components } from '../../shared/api/client';
import { useApi } from './console-context';
import { fetchAll } from './fetch-all';

export type Department = components['schemas']['DepartmentDto'];

/** Of all lists of departments, and of each one. */
export const DEPARTMENTS_KEY = ['departments'];

/** All departments of the company, by name. Only supervisors may read them. */
export function useDepartments() {
  const api = useApi();
  return useQuery({
    queryKey: [...DEPARTMENTS_KEY, 'all'],
    queryFn: () =>
      fetchAll<Department>((query) => unwrap(api.GET('/api/v1/departments', { params: { query } }))),
  });
}
