import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { unwrap, type components } from '../../../shared/api/client';
import type { CallItem } from '../../../shared/socket';
import { useApi } from '../../state/console-context';
import { useCallNews } from './use-call-news';

export type Call = components['schemas']['CallDetailsDto'];

/** The call, kept up to date while it is shown. */
export function useCall(id: string) {
  const api = useApi();
  const queries = useQueryClient();
  useCallNews(
    useCallback((call: CallItem) => call.id === id, [id]),
    useCallback(() => queries.invalidateQueries({ queryKey: ['calls', id] }), [queries, id]),
  );
  return useQuery({
    queryKey: ['calls', id, 'details'],
    queryFn: async () => (await unwrap(api.GET('/api/v1/calls/{id}', { params: { path: { id } } }))).data,
  });
}
