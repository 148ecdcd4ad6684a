import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { unwrap, type components } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { DEPARTMENTS_KEY } from '../../state/use-departments';
import { useCommonTexts } from '../../texts/texts';
import { notifySuccess } from '../../ui/form/page-form';

export function useDepartment(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: [...DEPARTMENTS_KEY, id],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/departments/{id}', { params: { path: { id } } }))).data,
  });
}

/** @returns what saves a part of a department, and what follows it */
export function useUpdateDepartment(id: string) {
  const api = useApi();
  const queries = useQueryClient();
  const { saved } = useCommonTexts();
  const send = useCallback(
    (body: components['schemas']['UpdateDepartmentDto']) =>
      unwrap(api.PUT('/api/v1/departments/{id}', { params: { path: { id } }, body })),
    [api, id],
  );
  const done = useCallback(async () => {
    await queries.invalidateQueries({ queryKey: DEPARTMENTS_KEY });
    notifySuccess(saved);
  }, [queries, saved]);
  return { send, done };
}
