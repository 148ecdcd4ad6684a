import { useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { unwrap } from '../../../../shared/api/client';
import type { CallItem } from '../../../../shared/socket';
import { useApi } from '../../../state/console-context';
import { customerOfCall } from './customer-of-call';

export const customerKey = (callId: string): QueryKey => ['call-customer', callId];

/** What the call's item does not have: the reason, and the customer with their earlier calls; null if the call has none. */
export function useCustomer(item: CallItem) {
  const api = useApi();
  const { data: details, error, refetch } = useCallDetails(item);
  const customerId = details?.customer_id ?? null;
  const customer = useQuery({
    queryKey: [...customerKey(item.id), customerId],
    queryFn: () => customerOfCall(api, { id: item.id, customer_id: customerId }),
    enabled: details !== undefined,
    staleTime: Infinity,
    // A call can come back to an agent who had it before.
    refetchOnMount: 'always',
  });
  if (error) return { details, data: undefined, isPending: false, error, refetch };
  return { details, ...customer };
}

/** Each change of the call is another item: an erasure, for example, takes the customer from it. */
function useCallDetails(item: CallItem) {
  const api = useApi();
  const queries = useQueryClient();
  const { id } = item;
  useEffect(() => void queries.invalidateQueries({ queryKey: ['call-details', id] }), [queries, id, item]);
  return useQuery({
    queryKey: ['call-details', id],
    queryFn: async () => (await unwrap(api.GET('/api/v1/calls/{id}', { params: { path: { id } } }))).data,
    staleTime: Infinity,
  });
}
