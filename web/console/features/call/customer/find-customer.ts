import { unwrap, type Api, type components } from '../../../../shared/api/client';
import type { CallItem } from '../../../../shared/socket';

export type Customer = components['schemas']['CustomerDto'];
export type PreviousCall = components['schemas']['CallListItemDto'];

export interface CustomerOfCall {
  customer: Customer;
  /** The newest first, without the call itself. */
  previous: PreviousCall[];
}

/** A name can be that of several customers. */
const MAX_CANDIDATES = 5;
const MAX_CALLS = 6;

type Caller = Pick<CallItem, 'id' | 'customer_email' | 'customer_phone' | 'customer_name'>;

/**
 * The call does not name its customer, so the customers with its e-mail, phone or name are asked for theirs.
 * @returns null if the call belongs to none of them
 */
export async function findCustomer(api: Api, call: Caller): Promise<CustomerOfCall | null> {
  const { customer_email: email, customer_phone: phone, customer_name: name } = call;
  const queries = [...(email ? [{ email }] : []), ...(phone ? [{ search: phone }] : []), { search: name }];
  const asked = new Set<string>();
  for (const query of queries) {
    for (const customer of await candidatesOf(api, query)) {
      if (asked.has(customer.id)) continue;
      asked.add(customer.id);
      const calls = await latestCalls(api, customer.id);
      const previous = calls.filter(({ id }) => id !== call.id);
      if (previous.length < calls.length) return { customer, previous };
    }
  }
  return null;
}

async function candidatesOf(api: Api, by: { email?: string; search?: string }): Promise<Customer[]> {
  const query = { page_size: MAX_CANDIDATES, sort_by: 'last_call_at', sort_order: 'desc', ...by } as const;
  return (await unwrap(api.GET('/api/v1/customers', { params: { query } }))).data;
}

async function latestCalls(api: Api, customerId: string): Promise<PreviousCall[]> {
  const query = { page_size: MAX_CALLS, sort_by: 'inserted_at', sort_order: 'desc' } as const;
  const params = { path: { id: customerId }, query };
  return (await unwrap(api.GET('/api/v1/customers/{id}/calls', { params }))).data;
}
