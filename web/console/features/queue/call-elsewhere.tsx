import { Alert, Button, Group } from '@mantine/core';
import { useConsole } from '../../state/console-context';
import { useSignalValue } from '../../ui/use-signal-value';
import { queueTexts } from './texts/texts';

/** The call while another tab of this browser has it, and a way to continue it here. */
export function CallElsewhere() {
  const { elsewhere: texts } = queueTexts.use();
  const { own } = useConsole();
  const call = useSignalValue(own.elsewhere);
  if (!call) return null;
  return (
    <Alert role="status" data-testid="call-elsewhere">
      <Group justify="space-between">
        {texts.text(call.customer_name)}
        <Button size="xs" data-testid="call-here" onClick={() => own.want(call.id)}>
          {texts.take}
        </Button>
      </Group>
    </Alert>
  );
}
