import { Badge } from '@mantine/core';
import type { CallStatus } from '../../../shared/socket';
import { useCommonTexts } from '../../texts/texts';

const COLORS: Record<CallStatus, string> = {
  queued: 'yellow',
  assigned: 'blue',
  active: 'green',
  completed: 'gray',
  missed: 'red',
  cancelled: 'gray',
  abandoned: 'red',
};

export function CallStatusBadge({ status }: { status: CallStatus }) {
  const { callStatus } = useCommonTexts();
  return (
    <Badge variant="dot" color={COLORS[status]} tt="none" data-testid="call-status" data-status={status}>
      {callStatus[status]}
    </Badge>
  );
}
