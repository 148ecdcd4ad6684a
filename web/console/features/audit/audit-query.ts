export const DEFAULT_FILTERS = {
  user_id: '',
  action: '',
  subject_type: '',
  subject_id: '',
  address: '',
  date_from: '',
  date_to: '',
};

export type AuditFilters = typeof DEFAULT_FILTERS;

const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;
const IPV6 = /^[\da-f]*:[\da-f:.]+$/i;

/** Whether the service would take it; it filters by whole addresses only. */
export const isAddress = (text: string): boolean => IPV4.test(text) || IPV6.test(text);

/** @returns the filters that are set; an address that is still being typed is left out */
export function queryOf(filters: AuditFilters): Partial<AuditFilters> {
  return Object.fromEntries(
    Object.entries(filters).filter(
      ([name, value]) => value !== '' && (name !== 'address' || isAddress(value)),
    ),
  );
}
