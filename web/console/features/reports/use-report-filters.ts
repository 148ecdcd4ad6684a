import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useNow } from '../../ui/now';
import { useFilters } from '../../ui/use-filters';
import { datesOf, dayIn, PERIODS, problemOf, type PeriodName } from './period';
import { REPORTS_KEY, type ReportQuery } from './use-reports';

const DEFAULTS = { period: 'days30', from: '', to: '', department_id: '' };

export type ReportFilters = typeof DEFAULTS & { period: PeriodName };

interface FilteredReports {
  filters: ReportFilters;
  change: (change: Partial<ReportFilters>) => void;
  /** Null while the zone of the company, and with it the day, is not known, and without both own dates. */
  query: ReportQuery | null;
  /** What is wrong with the own dates. */
  problem: ReturnType<typeof problemOf>;
  /** Why the zone is not known. */
  error: unknown;
}

/** The filters in the address, and what they mean for the service. */
export function useReportFilters(): FilteredReports {
  const [values, change] = useFilters(DEFAULTS);
  const api = useApi();
  const now = useNow();
  const period = PERIODS.find((name) => name === values.period) ?? 'days30';
  const needsToday = period !== 'days30' && period !== 'own';
  // Supervisors may not read the settings of the company, but every report names its zone.
  const { data, error } = useQuery({
    queryKey: [...REPORTS_KEY, 'zone'],
    queryFn: async () => (await unwrap(api.GET('/api/v1/analytics/estimates'))).meta.timezone,
    enabled: needsToday,
    staleTime: Infinity,
  });
  const today = data === undefined ? '' : dayIn(data, now);
  const problem = period === 'own' ? problemOf(values) : null;
  const query =
    problem || (needsToday && data === undefined)
      ? null
      : {
          ...datesOf(period, today, values),
          ...(values.department_id && { department_id: values.department_id }),
        };
  return { filters: { ...values, period }, change, query, problem, error };
}
