import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import type { AgentCall } from '../../state/agent-call';
import { useConsole } from '../../state/console-context';
import { useAttempt } from '../../ui/use-attempt';
import { useSignalValue } from '../../ui/use-signal-value';
import { callTexts } from './texts/texts';
import { listDepartments } from './transfer-targets';

/** Sends the customer to another department's queue, or asks another agent to take over. */
export function TransferForm({ call }: { call: AgentCall }) {
  const { transfer } = callTexts.use();
  const state = useConsole();
  const attempt = useAttempt();
  const [target, setTarget] = useState('');
  const [message, setMessage] = useState('');
  const { department_id: current } = useSignalValue(call.call);
  const { data: departments = [] } = useQuery({
    queryKey: ['transfer-departments', current],
    queryFn: () => listDepartments(state, current),
  });
  useEffect(
    () =>
      state.socket.on('transfer_ended', ({ call_id }) => {
        if (call_id === call.id) setMessage(transfer.refused);
      }),
    [state, call, transfer],
  );
  const agents = useSignalValue(state.queue.agents).filter(
    (agent) => agent.state === 'available' && agent.user_id !== state.userId,
  );
  const submit = async () => {
    const [kind, id] = target.split(':');
    const body = kind === 'agent' ? { user_id: id } : { department_id: id };
    const path = '/api/v1/calls/{id}/transfer';
    const { data } = await unwrap(state.session.api.POST(path, { params: { path: { id: call.id } }, body }));
    setMessage(data.offer ? transfer.offered : '');
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        attempt(submit);
      }}
    >
      <Stack gap="xs">
        <NativeSelect
          label={transfer.target}
          data-testid="transfer-target"
          required
          value={target}
          onChange={(event) => setTarget(event.currentTarget.value)}
        >
          <option value="" />
          <optgroup label={transfer.departments}>
            {departments.map(({ id, name }) => (
              <option key={id} value={`department:${id}`}>
                {name}
              </option>
            ))}
          </optgroup>
          <optgroup label={transfer.agents}>
            {agents.map(({ user_id, name }) => (
              <option key={user_id} value={`agent:${user_id}`}>
                {name}
              </option>
            ))}
          </optgroup>
        </NativeSelect>
        <Button type="submit" variant="default" data-testid="transfer">
          {transfer.submit}
        </Button>
        <Text role="status" size="sm">
          {message}
        </Text>
      </Stack>
    </form>
  );
}
