import { Alert, Anchor, Group } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { useConsole } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { isWorkplace } from '../../ui/is-workplace';
import { useSignalValue } from '../../ui/use-signal-value';

/** The way back to the running call, whose sound goes on while another page is open, or to the one that waits to be answered. */
export function CallDock() {
  const { dock } = useCommonTexts();
  const state = useConsole();
  const running = useSignalValue(state.call);
  const next = useSignalValue(state.next);
  const call = running?.call.peek() ?? next;
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (call === null || isWorkplace(path)) return null;
  return (
    <Alert color="green" data-testid="call-dock">
      <Group justify="space-between">
        {dock.text(call.customer_name)}
        <Anchor component={Link} to="/">
          {dock.back}
        </Anchor>
      </Group>
    </Alert>
  );
}
