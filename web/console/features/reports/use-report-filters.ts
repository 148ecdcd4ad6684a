import { useServerNow } from '../../state/use-server-now';
import { useZone } from '../../state/use-zone';
import { useFilters } from '../../ui/use-filters';
import { dayIn } from '../../ui/wall-time';
import { datesOf, PERIODS, problemOf, type PeriodName } from './period';
import type { ReportQuery } from './use-reports';

const DEFAULTS = { period: 'days30', from: '', to: '', department_id: '' };

export type ReportFilters = typeof DEFAULTS & { period: PeriodName };

interface FilteredReports {
  filters: ReportFilters;
  change: (change: Partial<ReportFilters>) => void;
  /** Null while the zone of the company, and with it the day, is not known, and without both own dates. */
  query: ReportQuery | null;
  /** What is wrong with the own dates. */
  problem: ReturnType<typeof problemOf>;
}

/** The filters in the address, and what they mean for the service. */
export function useReportFilters(): FilteredReports {
  const [values, change] = useFilters(DEFAULTS);
  const zone = useZone()?.name;
  const now = useServerNow();
  const period = PERIODS.find((name) => name === values.period) ?? 'days30';
  const needsToday = period !== 'days30' && period !== 'own';
  const today = zone === undefined ? '' : dayIn(zone, now);
  const problem = period === 'own' ? problemOf(values) : null;
  const query =
    problem || (needsToday && zone === undefined)
      ? null
      : {
          ...datesOf(period, today, values),
          ...(values.department_id && { department_id: values.department_id }),
        };
  return { filters: { ...values, period }, change, query, problem };
}
