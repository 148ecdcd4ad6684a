import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { AgentCall } from '../../../state/agent-call';
import { useConsole } from '../../../state/console-context';
import { useCommonTexts } from '../../../texts/texts';
import { Dialog } from '../../../ui/dialog/dialog';
import { useShortcut } from '../../../ui/shortcuts/use-shortcut';
import { useAttempt } from '../../../ui/use-attempt';
import { callTexts } from '../texts/texts';
import { ControlButton } from './control-button';

/** A click ends the call at once; a key, which is easily pressed by mistake, asks first. */
export function EndButton({ call }: { call: AgentCall }) {
  const { call: labels } = callTexts.use();
  const common = useCommonTexts();
  const state = useConsole();
  const attempt = useAttempt();
  const [isAsking, setAsking] = useState(false);
  const end = () => {
    setAsking(false);
    attempt(() => state.complete());
  };
  useShortcut({ keys: 'e', label: labels.complete, action: () => setAsking(true) });
  return (
    <>
      <ControlButton
        icon="hangUp"
        label={labels.complete}
        look="danger"
        keys="e"
        testId="complete"
        onClick={end}
      />
      <Dialog opened={isAsking} onClose={() => setAsking(false)} title={labels.complete}>
        <Stack>
          <Text>{labels.completeQuestion(call.call.peek().customer_name)}</Text>
          <Group justify="end">
            <Button variant="default" onClick={() => setAsking(false)}>
              {common.cancel}
            </Button>
            <Button color="red" data-autofocus data-testid="complete-confirm" onClick={end}>
              {labels.complete}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
