import { Badge } from '@mantine/core';
import type { CallStatus } from '../../../shared/socket';
import { isDropped, useCallStatusText, type EndedCall } from '../../ui/call-status-text';

const COLORS: Record<CallStatus, string> = {
  queued: 'yellow',
  assigned: 'blue',
  active: 'green',
  completed: 'gray',
  missed: 'red',
  cancelled: 'gray',
  abandoned: 'red',
};

export function CallStatusBadge({ call }: { call: EndedCall }) {
  const { status } = call;
  const textOf = useCallStatusText();
  const color = isDropped(call) ? 'red' : COLORS[status];
  return (
    <Badge variant="dot" color={color} tt="none" data-testid="call-status" data-status={status}>
      {textOf(call)}
    </Badge>
  );
}
