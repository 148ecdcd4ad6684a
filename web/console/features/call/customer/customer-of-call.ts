import { unwrap, type Api, type components } from '../../../../shared/api/client';

export type Customer = components['schemas']['CustomerDto'];
export type PreviousCall = components['schemas']['CallListItemDto'];

export interface CustomerOfCall {
  customer: Customer;
  /** The newest first, without the call itself. */
  previous: PreviousCall[];
}

const MAX_CALLS = 6;

/** @returns null if the call has no customer: it was erased, or never had one */
export async function customerOfCall(
  api: Api,
  call: { id: string; customer_id: string | null },
): Promise<CustomerOfCall | null> {
  if (call.customer_id === null) return null;
  const path = { id: call.customer_id };
  const query = { page_size: MAX_CALLS, sort_by: 'inserted_at', sort_order: 'desc' } as const;
  const [customer, calls] = await Promise.all([
    unwrap(api.GET('/api/v1/customers/{id}', { params: { path } })),
    unwrap(api.GET('/api/v1/customers/{id}/calls', { params: { path, query } })),
  ]);
  return { customer: customer.data, previous: calls.data.filter(({ id }) => id !== call.id) };
}
