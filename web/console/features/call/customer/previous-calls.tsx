import { Text } from '@mantine/core';
import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { useCallStatusText } from '../../../ui/call-status-text';
import { formatDateTime } from '../../../ui/dates';
import { callTexts } from '../texts/texts';
import type { PreviousCall } from './customer-of-call';

interface PreviousCallsProps {
  calls: readonly PreviousCall[];
  /** Of all; `calls` are the newest. */
  count: number;
}

export function PreviousCalls({ calls, count }: PreviousCallsProps) {
  const { customer: texts } = callTexts.use();
  const statusText = useCallStatusText();
  const language = useLanguage();
  const zone = useZone()?.name;
  if (calls.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {texts.firstCall}
      </Text>
    );
  return (
    <>
      <Text size="sm" fw={600}>
        {texts.previous(Math.max(count, calls.length))}
      </Text>
      <ol className="call-history">
        {calls.map((call) => (
          <li key={call.id} data-testid="previous-call">
            <Text size="xs" c="dimmed">
              {[
                formatDateTime(call.inserted_at, language, zone),
                call.department_name,
                statusText(call),
                call.user_name,
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
            {call.notes && (
              <Text size="sm" className="call-text" lineClamp={4}>
                {call.notes}
              </Text>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}
