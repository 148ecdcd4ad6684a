import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { unwrap } from '../../../shared/api/client';
import type { AgentCall } from '../../state/agent-call';
import { useApi, useConsole } from '../../state/console-context';
import { formatDuration } from '../../ui/duration';
import { useSignalValue } from '../../ui/use-signal-value';
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
  const { user_id } = useSignalValue(call.call);
  const hasMovedOn = user_id !== state.userId;
  const reason = hasMovedOn ? labels.movedOn : labels.reasons[data?.end_reason ?? 'normal'];
  const duration = hasMovedOn ? null : (data?.duration ?? null);
  // What had the focus may be gone. The button does not get it: a space that somebody types on would press it.
  const stage = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) stage.current?.focus();
  }, []);
  const id = useId();
  return (
    <div
      ref={stage}
      className="call-stage ended"
      data-testid="after-call"
      role="group"
      aria-labelledby={id}
      tabIndex={-1}
    >
      <Text role="status" id={id}>
        {reason}
        {duration !== null && ` ${labels.duration(formatDuration(duration * 1000))}`}
      </Text>
      <Button variant="default" data-testid="call-close" onClick={() => state.closeEnded()}>
        {labels.close}
      </Button>
    </div>
  );
}
