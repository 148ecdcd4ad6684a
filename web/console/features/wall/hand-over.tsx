import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { explain } from '../../ui/explain';
import { HandOverDialog } from '../../ui/hand-over/hand-over-dialog';
import { wallTexts } from './texts/texts';

/** Hands over the call of an agent, which the socket names by its id alone. */
export function HandOver({ callId, onClose }: { callId: string; onClose: () => void }) {
  const { agents: texts } = wallTexts.use();
  const { error: sentences } = useCommonTexts();
  const api = useApi();
  const {
    data: call,
    error,
    isFetchedAfterMount: isCurrent,
  } = useQuery({
    queryKey: ['calls', callId, 'details'],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/calls/{id}', { params: { path: { id: callId } } }))).data,
    staleTime: 0,
  });
  // Only the status of now decides, not one that was read before.
  const isAssigned = call?.status === 'assigned';
  useEffect(() => {
    if (!isCurrent || (!error && !isAssigned)) return;
    notifications.show({ color: 'yellow', message: error ? explain(error, sentences) : texts.reserved });
    onClose();
  }, [isCurrent, error, isAssigned, sentences, texts, onClose]);
  return call && isCurrent && !isAssigned ? <HandOverDialog call={call} onClose={onClose} /> : null;
}
