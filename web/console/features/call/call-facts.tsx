import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import type { AgentCall } from '../../state/agent-call';
import { useApi } from '../../state/console-context';
import { useSignalValue } from '../../ui/use-signal-value';
import { callTexts } from './texts/texts';

/** Why the customer calls, and how to reach them. */
export function CallFacts({ call }: { call: AgentCall }) {
  const { call: labels } = callTexts.use();
  const { customer_email: email, customer_phone: phone } = useSignalValue(call.call);
  const api = useApi();
  const { data: details } = useQuery({
    queryKey: ['calls', call.id],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/calls/{id}', { params: { path: { id: call.id } } }))).data,
  });
  return (
    <>
      {details?.reason && (
        <Text size="sm">
          {labels.reason}: {details.reason}
        </Text>
      )}
      {(email || phone) && <Text size="sm">{[email, phone].filter(Boolean).join(' · ')}</Text>}
    </>
  );
}
