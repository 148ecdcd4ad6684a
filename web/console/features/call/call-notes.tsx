import { Textarea } from '@mantine/core';
import { unwrap } from '../../../shared/api/client';
import type { AgentCall } from '../../state/agent-call';
import { useApi } from '../../state/console-context';
import { useAttempt } from '../../ui/use-attempt';
import { callTexts } from './texts/texts';

/** Saved when the field is left. */
export function CallNotes({ call }: { call: AgentCall }) {
  const { call: labels } = callTexts.use();
  const api = useApi();
  const attempt = useAttempt();
  const save = (notes: string) =>
    unwrap(api.PUT('/api/v1/calls/{id}', { params: { path: { id: call.id } }, body: { notes } }));
  return (
    <Textarea
      label={labels.notes}
      data-testid="notes"
      rows={3}
      maxLength={10_000}
      defaultValue={call.call.peek().notes ?? ''}
      onBlur={(event) => {
        const { value } = event.currentTarget;
        attempt(() => save(value));
      }}
    />
  );
}
