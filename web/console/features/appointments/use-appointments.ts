import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { unwrap, type Api, type components } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';

export type Appointment = components['schemas']['AppointmentDto'];
export type AppointmentStatus = components['schemas']['AppointmentDto']['status'];

export const APPOINTMENT_STATUSES: readonly AppointmentStatus[] = [
  'scheduled',
  'confirmed',
  'completed',
  'cancelled',
  'no_show',
];

/** The beginning of the keys of all queries about appointments. */
export const APPOINTMENTS_KEY = ['appointments'];

const PAGE_SIZE = 100;
const MAX_PAGES = 20;
/** The longest appointment: one that began before the period may reach into it. */
const MAX_DURATION_MS = 24 * 60 * 60_000;

export interface Period {
  from: Date;
  until: Date;
}

/** The appointments of a period. @param filters of the service, without empty ones */
export function useAppointments(period: Period | null, filters: Readonly<Record<string, string>>) {
  const api = useApi();
  return useQuery({
    queryKey: [...APPOINTMENTS_KEY, 'list', period, filters],
    enabled: period !== null,
    placeholderData: keepPreviousData,
    queryFn: () => (period ? readAll(api, period, filters) : []),
  });
}

async function readAll(
  api: Api,
  { from, until }: Period,
  filters: Readonly<Record<string, string>>,
): Promise<Appointment[]> {
  const found: Appointment[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = {
      ...filters,
      page,
      page_size: PAGE_SIZE,
      date_from: new Date(from.getTime() - MAX_DURATION_MS).toISOString(),
      date_to: until.toISOString(),
    };
    const { data, meta } = await unwrap(api.GET('/api/v1/appointments', { params: { query } }));
    found.push(...data);
    if (found.length >= meta.total_count) break;
  }
  return found;
}

export interface Slot {
  user_id: string;
  starts_at: string;
  ends_at: string;
  /** The appointment that is to be moved. */
  exclude_id?: string;
}

export const readConflicts = async (api: Api, query: Slot): Promise<Appointment[]> =>
  (await unwrap(api.GET('/api/v1/appointments/conflicts', { params: { query } }))).data;

/** What keeps an agent from an appointment. @param slot null while its times are incomplete */
export function useConflicts(slot: Slot | null): Appointment[] {
  const api = useApi();
  const { data = [] } = useQuery({
    queryKey: [...APPOINTMENTS_KEY, 'conflicts', slot],
    enabled: slot !== null,
    queryFn: () => (slot ? readConflicts(api, slot) : []),
  });
  return data;
}
