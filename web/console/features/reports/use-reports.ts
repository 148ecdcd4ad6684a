import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { unwrap, type components } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';

export type ReportMeta = components['schemas']['ReportMeta'];
export type Overview = components['schemas']['OverviewDto'];

/** Of all reports. */
export const REPORTS_KEY = ['reports'];

/** @returns reads all reports again. A report is never read again alone: all figures of the page have one age. */
export function useReportRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: REPORTS_KEY });
}

export interface ReportQuery {
  date_from?: string;
  date_to?: string;
  department_id?: string;
}

export type Interval = 'day' | 'week' | 'month';

const shared = { placeholderData: keepPreviousData } as const;

/** @param query null while the period is not known yet */
export function useOverview(query: ReportQuery | null) {
  const api = useApi();
  return useQuery({
    ...shared,
    queryKey: [...REPORTS_KEY, 'overview', query],
    queryFn: () => unwrap(api.GET('/api/v1/analytics/overview', { params: { query: query ?? {} } })),
    enabled: query !== null,
  });
}

export function useHourly(query: ReportQuery) {
  const api = useApi();
  return useQuery({
    ...shared,
    queryKey: [...REPORTS_KEY, 'hourly', query],
    queryFn: () => unwrap(api.GET('/api/v1/analytics/hourly', { params: { query } })),
  });
}

export function useTrends(query: ReportQuery, interval: Interval) {
  const api = useApi();
  return useQuery({
    ...shared,
    queryKey: [...REPORTS_KEY, 'trends', query, interval],
    queryFn: () => unwrap(api.GET('/api/v1/analytics/trends', { params: { query: { ...query, interval } } })),
  });
}

export function useAgentReports(query: ReportQuery) {
  const api = useApi();
  return useQuery({
    ...shared,
    queryKey: [...REPORTS_KEY, 'agents', query],
    queryFn: () => unwrap(api.GET('/api/v1/analytics/agents', { params: { query } })),
  });
}

export function useEstimateReports(query: ReportQuery) {
  const api = useApi();
  return useQuery({
    ...shared,
    queryKey: [...REPORTS_KEY, 'estimates', query],
    queryFn: () => unwrap(api.GET('/api/v1/analytics/estimates', { params: { query } })),
  });
}
