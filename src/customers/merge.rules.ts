import type { Customer } from './customer.entity';

type CustomerDetails = Pick<Customer, 'email' | 'phone' | 'document' | 'notes' | 'metadata'>;

const FILLED_FIELDS = ['email', 'phone', 'document', 'notes'] as const;

/**
 * What a customer has once it stands for its duplicates, too: its own details, and of those that it lacks the first
 * that one of them has. Their metadata is added key by key in the same way.
 */
export function mergeDetails(
  primary: CustomerDetails,
  duplicates: readonly CustomerDetails[],
): CustomerDetails {
  const all = [primary, ...duplicates];
  const first = (field: (typeof FILLED_FIELDS)[number]) => all.map((one) => one[field]).find(Boolean) ?? null;
  return {
    email: first('email'),
    phone: first('phone'),
    document: first('document'),
    notes: first('notes'),
    metadata: Object.assign(
      {},
      ...all.map(({ metadata }) => metadata).toReversed(),
    ) as CustomerDetails['metadata'],
  };
}
