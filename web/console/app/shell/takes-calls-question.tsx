import { Alert, Button, Group } from '@mantine/core';
import { useConsole, useHasRole } from '../../state/console-context';
import { NOT_TAKING_CALLS } from '../../state/queue-state';
import { useCommonTexts } from '../../texts/texts';
import { useAttempt } from '../../ui/use-attempt';
import { useSignalValue } from '../../ui/use-signal-value';

/** Asks supervisors, managers and owners once whether calls are to ring here. Until then, none do. */
export function TakesCallsQuestion() {
  const { takesCalls: texts } = useCommonTexts();
  const { queue } = useConsole();
  const attempt = useAttempt();
  const isSupervisor = useHasRole('supervisor');
  const hasChosen = useSignalValue(queue.hasChosenState);
  if (!isSupervisor || hasChosen) return null;
  return (
    <Alert color="blue" title={texts.question} data-testid="takes-calls">
      <Group justify="space-between">
        {texts.hint}
        <Group gap="xs">
          <Button
            size="xs"
            data-testid="takes-calls-yes"
            onClick={() => attempt(() => queue.choosePresence('online'))}
          >
            {texts.yes}
          </Button>
          <Button
            size="xs"
            variant="default"
            data-testid="takes-calls-no"
            onClick={() => attempt(() => queue.choosePresence('away', NOT_TAKING_CALLS))}
          >
            {texts.no}
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}
