import { Alert } from '@mantine/core';
import type { AgentCall } from '../../../state/agent-call';
import { useConsole } from '../../../state/console-context';
import { useServerNow } from '../../../state/use-server-now';
import { handOverTexts } from '../../../ui/hand-over/texts/texts';
import { useSignalValue } from '../../../ui/use-signal-value';
import { callTexts } from '../texts/texts';

/** Whether another agent is being asked, or did not take the call. */
export function TransferStatus({ call }: { call: AgentCall }) {
  const { transfer } = callTexts.use();
  const sentences = handOverTexts.use();
  const agents = useSignalValue(useConsole().queue.agents);
  const state = useSignalValue(call.transfer.state);
  const now = useServerNow();
  if (!state) return null;
  // A supervisor can ask an agent whom this one does not see.
  const name = agents.find(({ user_id }) => user_id === state.user_id)?.name;
  if (state.status === 'refused') {
    const sentence = state.how === null ? undefined : sentences.ended[state.how];
    return (
      <Alert
        color="yellow"
        role="alert"
        withCloseButton
        closeButtonLabel={transfer.dismiss}
        onClose={() => (call.transfer.state.value = null)}
        data-testid="transfer-status"
      >
        {name && sentence ? sentence(name) : transfer.refused}
      </Alert>
    );
  }
  const seconds = Math.max(0, Math.ceil((Date.parse(state.expires_at) - now) / 1000));
  return (
    <Alert color="blue" data-testid="transfer-status">
      <span role="status">{name ? sentences.asked(name) : transfer.offered}</span>{' '}
      <span>{transfer.seconds(seconds)}</span>
    </Alert>
  );
}
