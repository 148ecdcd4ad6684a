import { useQuery } from '@tanstack/react-query';
import { unwrap, type components } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import type { Pair } from './metadata.rules';

export type Customer = components['schemas']['CustomerDto'];
export type DuplicateGroup = components['schemas']['DuplicateGroupDto'];

/** What its form holds. */
export interface CustomerValues {
  name: string;
  email: string;
  phone: string;
  document: string;
  notes: string;
  metadata: Pair[];
}

/** The beginning of the keys of all queries about customers. */
export const CUSTOMERS_KEY = ['customers'];

export function useCustomer(id: string, { enabled = true } = {}) {
  const api = useApi();
  return useQuery({
    enabled,
    queryKey: [...CUSTOMERS_KEY, 'one', id],
    retry: false,
    queryFn: async () => (await unwrap(api.GET('/api/v1/customers/{id}', { params: { path: { id } } }))).data,
  });
}
