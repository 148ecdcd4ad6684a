import { Anchor, Group, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { WaitingCall } from '../../../shared/socket';
import type { ReceivedQueue } from '../../state/queue-state';
import { useServerNow } from '../../state/use-server-now';
import { useCustomerName } from '../../texts/customer-name';
import { formatDuration } from '../../ui/duration';
import { isAway } from './alerts.rules';
import { wallTexts } from './texts/texts';

/** However long the line is, the page shows its beginning. */
const SHOWN = 5;

/** The first of a line. */
export function WaitingList({ queue }: { queue: ReceivedQueue }) {
  const { line: texts } = wallTexts.use();
  const calls = (queue.calls ?? []).slice(0, SHOWN);
  const others = queue.size - calls.length;
  if (calls.length === 0) return null;
  return (
    <>
      <List type="ordered" listStyleType="none" className="wall-label">
        {calls.map((call) => (
          <Waiting key={call.id} call={call} />
        ))}
      </List>
      {others > 0 && <Text className="wall-label">{texts.more(others)}</Text>}
    </>
  );
}

function Waiting({ call }: { call: WaitingCall }) {
  const { line: texts } = wallTexts.use();
  const nameOf = useCustomerName();
  const now = useServerNow();
  return (
    <List.Item data-testid="wall-waiting">
      <Group gap="xs">
        <Anchor component={Link} to={`/calls/${call.id}`} inherit style={{ overflowWrap: 'anywhere' }}>
          {nameOf(call)}
        </Anchor>
        <span>{formatDuration(now - Date.parse(call.inserted_at))}</span>
        {isAway(call) && <Text inherit>({texts.callback})</Text>}
        {call.absent_since && !isAway(call) && <Text inherit>({texts.absent})</Text>}
      </Group>
    </List.Item>
  );
}
