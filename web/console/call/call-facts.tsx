import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { unwrap } from '../../shared/api/client';
import type { ConsoleState } from '../console-state';
import { texts } from '../texts/language';
import type { AgentCall } from './agent-call';

/** Why the customer calls, and how to reach them. */
export function CallFacts({ call, state }: { call: AgentCall; state: ConsoleState }) {
  const labels = texts.value.call;
  const reason = useSignal<string | null>(null);
  const { customer_email: email, customer_phone: phone } = call.call.value;
  useEffect(() => {
    const details = state.session.api.GET('/api/v1/calls/{id}', { params: { path: { id: call.id } } });
    // The call works without it.
    unwrap(details).then(
      ({ data }) => (reason.value = data.reason),
      () => undefined,
    );
  }, [call.id]);
  return (
    <>
      {reason.value && (
        <p>
          {labels.reason}: {reason.value}
        </p>
      )}
      {(email || phone) && <p class="contact">{[email, phone].filter(Boolean).join(' · ')}</p>}
    </>
  );
}
