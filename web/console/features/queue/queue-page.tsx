import { Button, Group } from '@mantine/core';
import { useConsole } from '../../state/console-context';
import { Page } from '../../ui/page';
import { useAttempt } from '../../ui/use-attempt';
import { useSignalValue } from '../../ui/use-signal-value';
import { CallView } from '../call/call-view';

export default function QueuePage() {
  const state = useConsole();
  const attempt = useAttempt();
  const call = useSignalValue(state.call);
  const waiting = useSignalValue(state.queue.waiting);
  return (
    <Page title="Queue">
      {call && <CallView key={call.id} call={call} />}
      {waiting.map((one) => (
        <Group key={one.id} data-testid="queue-row">
          {one.customer_name}
          <Button
            data-testid="answer"
            disabled={call !== null}
            onClick={() => attempt(() => state.answer(one.id))}
          >
            Answer
          </Button>
        </Group>
      ))}
    </Page>
  );
}
