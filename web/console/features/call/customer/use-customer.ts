import { useQuery, type QueryKey } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { customerOfCall } from './customer-of-call';

export const customerKey = (callId: string): QueryKey => ['call-customer', callId];

/** The customer of the call and their earlier calls; null if the call has none. */
export function useCustomer(callId: string) {
  const api = useApi();
  const { data: call, error, refetch } = useCallDetails(callId);
  const customer = useQuery({
    queryKey: customerKey(callId),
    queryFn: () => customerOfCall(api, { id: callId, customer_id: call?.customer_id ?? null }),
    enabled: call !== undefined,
    staleTime: Infinity,
    // A call can come back to an agent who had it before.
    refetchOnMount: 'always',
  });
  if (error) return { data: undefined, isPending: false, error, refetch };
  return customer;
}

/** What the call's item does not have: the reason, and who the customer is. */
export function useCallDetails(callId: string) {
  const api = useApi();
  return useQuery({
    queryKey: ['call-details', callId],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/calls/{id}', { params: { path: { id: callId } } }))).data,
    staleTime: Infinity,
    // A call can come back to an agent who had it before.
    refetchOnMount: 'always',
  });
}
