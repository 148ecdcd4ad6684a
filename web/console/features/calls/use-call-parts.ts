import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';

/** The agents who had the call, each with their time. */
export function useCallParts(callId: string) {
  const api = useApi();
  return useQuery({
    queryKey: ['calls', callId, 'parts'],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/calls/{id}/parts', { params: { path: { id: callId } } }))).data,
  });
}
