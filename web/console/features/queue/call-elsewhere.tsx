import { Alert, Button, Group } from '@mantine/core';
import { useConsole } from '../../state/console-context';
import { useShortcut } from '../../ui/shortcuts/use-shortcut';
import { useAttempt } from '../../ui/use-attempt';
import { useSignalValue } from '../../ui/use-signal-value';
import { queueTexts } from './texts/texts';

/** The agent's calls that this page does not show: one that another tab of this browser has, and one that waits. */
export function CallElsewhere() {
  const { elsewhere: texts } = queueTexts.use();
  const { own } = useConsole();
  const call = useSignalValue(own.elsewhere);
  return (
    <>
      <NextCall />
      {call && (
        <CallBar
          testId="call-elsewhere"
          text={texts.text(call.customer_name)}
          button={{ label: texts.take, testId: 'call-here', onClick: () => own.want(call.id) }}
        />
      )}
    </>
  );
}

/** The call beside the ended one, which stays on the screen until the agent answers it. */
function NextCall() {
  const { next: texts, elsewhere } = queueTexts.use();
  const state = useConsole();
  const attempt = useAttempt();
  const call = useSignalValue(state.next);
  const isReserved = call?.status === 'assigned';
  const answer = () => call && attempt(() => state.answer(call.id));
  useShortcut({ keys: 'a', label: texts.answer, action: answer, isEnabled: isReserved });
  if (!call) return null;
  const text = isReserved ? texts.assigned : texts.inProgress;
  return (
    <CallBar
      testId="call-next"
      text={text(call.customer_name)}
      button={{ label: isReserved ? texts.answer : elsewhere.take, testId: 'answer-next', onClick: answer }}
    />
  );
}

interface CallBarProps {
  testId: string;
  text: string;
  button: { label: string; testId: string; onClick: () => void };
}

function CallBar({ testId, text, button }: CallBarProps) {
  return (
    <Alert role="status" data-testid={testId}>
      <Group justify="space-between">
        {text}
        <Button size="xs" data-testid={button.testId} onClick={button.onClick}>
          {button.label}
        </Button>
      </Group>
    </Alert>
  );
}
