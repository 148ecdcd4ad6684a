import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import type { AgentCall } from '../../state/agent-call';
import { useApi, useConsole } from '../../state/console-context';
import { formatDuration } from '../../ui/duration';
import { callTexts } from './texts/texts';

/** In the place of the pictures: how the call ended. */
export function CallEnd({ call }: { call: AgentCall }) {
  const { ended: labels } = callTexts.use();
  const api = useApi();
  const state = useConsole();
  const { data } = useQuery({
    queryKey: ['call-end', call.id],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/calls/{id}', { params: { path: { id: call.id } } }))).data,
  });
  const duration = data?.duration ?? null;
  return (
    <div className="call-stage ended" data-testid="after-call">
      <Text role="status">
        {labels.reasons[data?.end_reason ?? 'normal']}
        {duration !== null && ` ${labels.duration(formatDuration(duration * 1000))}`}
      </Text>
      <Button variant="default" data-testid="call-close" onClick={() => state.closeEnded()}>
        {labels.close}
      </Button>
    </div>
  );
}
