import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import type { CallItem } from '../../../shared/socket';
import { useApi, useConsole } from '../../state/console-context';
import { useSignalValue } from '../../ui/use-signal-value';
import { callOfWrapUp } from './wrap-up.rules';

/** @returns the call that the agent wraps up; null without one, while it is not known, and after they have closed it */
export function useEndedCall(): CallItem | null {
  const api = useApi();
  const { lastCall, ended: shown, queue, userId } = useConsole();
  const closed = useSignalValue(shown.closedId);
  const ended = useSignalValue(lastCall);
  const own = useSignalValue(queue.own);
  const isWrappingUp = own?.state === 'wrap_up';
  // After a reload, only the service knows which call it was.
  const { data } = useQuery({
    queryKey: ['ended-call', userId, own?.since],
    enabled: isWrappingUp && ended === null,
    queryFn: async () => {
      const query = {
        user_id: userId,
        status: 'completed',
        sort_by: 'completed_at',
        sort_order: 'desc',
        page_size: 1,
      } as const;
      const { data: calls } = await unwrap(api.GET('/api/v1/calls', { params: { query } }));
      return callOfWrapUp(calls, own?.since ?? null);
    },
    staleTime: Infinity,
  });
  if (!isWrappingUp) return null;
  const call = ended ?? data ?? null;
  return call?.id === closed ? null : call;
}
