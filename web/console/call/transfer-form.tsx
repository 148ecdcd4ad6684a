import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { unwrap } from '../../shared/api/client';
import type { ConsoleState } from '../console-state';
import { texts } from '../texts/language';
import { attempt } from '../ui/errors';
import { Field } from '../ui/field';
import type { AgentCall } from './agent-call';
import { listDepartments, type TransferTarget } from './transfer-targets';

/** Sends the customer to another department's queue, or asks another agent to take over. */
export function TransferForm({ call, state }: { call: AgentCall; state: ConsoleState }) {
  const { transfer } = texts.value;
  const departments = useSignal<TransferTarget[]>([]);
  const target = useSignal('');
  const message = useSignal('');
  useEffect(() => {
    attempt(async () => {
      departments.value = await listDepartments(state, call.call.value.department_id);
    });
    return state.socket.on('transfer_ended', ({ call_id }) => {
      if (call_id === call.id) message.value = transfer.refused;
    });
  }, []);
  const agents = state.queue.agents.value.filter(
    (agent) => agent.state === 'available' && agent.user_id !== state.session.user.value?.id,
  );
  const submit = async () => {
    const [kind, id] = target.value.split(':');
    const body = kind === 'agent' ? { user_id: id } : { department_id: id };
    const path = '/api/v1/calls/{id}/transfer';
    const { data } = await unwrap(state.session.api.POST(path, { params: { path: { id: call.id } }, body }));
    message.value = data.offer ? transfer.offered : '';
  };
  return (
    <form
      class="transfer"
      onSubmit={(event) => {
        event.preventDefault();
        attempt(submit);
      }}
    >
      <Field label={transfer.target}>
        <select
          data-testid="transfer-target"
          required
          value={target.value}
          onChange={(event) => (target.value = event.currentTarget.value)}
        >
          <option value="" />
          <optgroup label={transfer.departments}>
            {departments.value.map(({ id, name }) => (
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
        </select>
      </Field>
      <button type="submit" data-testid="transfer">
        {transfer.submit}
      </button>
      <p role="status">{message.value}</p>
    </form>
  );
}
