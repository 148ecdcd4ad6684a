import type { CallStatus } from '../../../shared/socket';

/** All filters of the list with the values that the address need not name. */
export const NO_FILTERS = {
  status: '',
  department_id: '',
  user_id: '',
  date_from: '',
  date_to: '',
  search: '',
};

export type CallFilters = typeof NO_FILTERS;

export const STATUSES = [
  'queued',
  'assigned',
  'active',
  'completed',
  'missed',
  'cancelled',
  'abandoned',
] as const satisfies readonly CallStatus[];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** @returns the query of the service, without what a hand-written address got wrong */
export function queryOf(filters: CallFilters) {
  const status = STATUSES.find((one) => one === filters.status);
  const { department_id, user_id, date_from, date_to } = filters;
  const search = filters.search.trim();
  return {
    ...(status && { status }),
    ...(UUID.test(department_id) && { department_id }),
    ...(UUID.test(user_id) && { user_id }),
    ...(DAY.test(date_from) && { date_from }),
    ...(DAY.test(date_to) && { date_to }),
    ...(search && { search }),
  };
}

export const isFiltered = (filters: CallFilters): boolean => Object.values(filters).some(Boolean);
