import { Alert } from '@mantine/core';
import type { AgentCall } from '../../../state/agent-call';
import { useServerNow } from '../../../state/use-server-now';
import { useSignalValue } from '../../../ui/use-signal-value';
import { callTexts } from '../texts/texts';

/** Whether another agent is being asked, or did not take the call. */
export function TransferStatus({ call }: { call: AgentCall }) {
  const { transfer } = callTexts.use();
  const state = useSignalValue(call.transfer.state);
  const now = useServerNow();
  if (!state) return null;
  if (state.status === 'refused')
    return (
      <Alert
        color="yellow"
        role="alert"
        withCloseButton
        closeButtonLabel={transfer.dismiss}
        onClose={() => (call.transfer.state.value = null)}
        data-testid="transfer-status"
      >
        {transfer.refused}
      </Alert>
    );
  const seconds = Math.max(0, Math.ceil((Date.parse(state.expires_at) - now) / 1000));
  return (
    <Alert color="blue" data-testid="transfer-status">
      <span role="status">{transfer.offered}</span> <span>{transfer.seconds(seconds)}</span>
    </Alert>
  );
}
