import type { Customer } from './customer.entity';

type CustomerDetails = Pick<Customer, 'email' | 'phone' | 'document' | 'notes' | 'metadata'>;

const FILLED_FIELDS = ['email', 'phone', 'document', 'notes'] as const;

/**
 * Returns the primary's details with empty fields filled from the first duplicate that has a value. Metadata is merged
 * key by key with the same precedence.
 */
export function mergeDetails(
  primary: CustomerDetails,
  duplicates: readonly CustomerDetails[],
): CustomerDetails {
  const all = [primary, ...duplicates];
  const first = (field: (typeof FILLED_FIELDS)[number]) =>
    all.map((details) => details[field]).find(Boolean) ?? null;
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
