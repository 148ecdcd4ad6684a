import { useQuery, type QueryKey } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import type { AgentCall } from '../../../state/agent-call';
import { useApi } from '../../../state/console-context';
import { findCustomer } from './find-customer';

export const customerKey = (callId: string): QueryKey => ['call-customer', callId];

export function useCustomer(call: AgentCall) {
  const api = useApi();
  return useQuery({
    queryKey: customerKey(call.id),
    queryFn: () => findCustomer(api, call.call.peek()),
    staleTime: Infinity,
  });
}

/** What the call's item does not have: the reason. */
export function useCallDetails(callId: string) {
  const api = useApi();
  return useQuery({
    queryKey: ['call-details', callId],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/calls/{id}', { params: { path: { id: callId } } }))).data,
    staleTime: Infinity,
  });
}
