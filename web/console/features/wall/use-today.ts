import { useQuery } from '@tanstack/react-query';
import { unwrap, type Api } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useZone } from '../../state/use-zone';
import { dayIn } from '../../ui/wall-time';

const REFETCH_MS = 30_000;
/** There can be many departments. */
const REFETCH_DEPARTMENT_MS = 60_000;

/**
 * The figures of today in the company's time zone.
 * @param departmentId null for all of them
 * @param isShown what is not visible is not asked for
 */
export function useToday(departmentId: string | null, isShown = true) {
  const api = useApi();
  const zone = useZone()?.name;
  return useQuery({
    queryKey: ['analytics', 'today', departmentId],
    queryFn: () => overviewOf(api, dayIn(zone ?? 'UTC'), departmentId),
    enabled: isShown && zone !== undefined,
    refetchInterval: departmentId === null ? REFETCH_MS : REFETCH_DEPARTMENT_MS,
  });
}

function overviewOf(api: Api, day: string, department_id: string | null) {
  const query = { date_from: day, date_to: day, ...(department_id && { department_id }) };
  return unwrap(api.GET('/api/v1/analytics/overview', { params: { query } }));
}
