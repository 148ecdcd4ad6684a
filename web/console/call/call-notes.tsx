import { unwrap } from '../../shared/api/client';
import type { ConsoleState } from '../console-state';
import { texts } from '../texts/language';
import { attempt } from '../ui/errors';
import { Field } from '../ui/field';
import type { AgentCall } from './agent-call';

/** Saved when the field is left. */
export function CallNotes({ call, state }: { call: AgentCall; state: ConsoleState }) {
  const save = (notes: string) =>
    unwrap(
      state.session.api.PUT('/api/v1/calls/{id}', {
        params: { path: { id: call.id } },
        body: { notes },
      }),
    );
  return (
    <Field label={texts.value.call.notes}>
      <textarea
        data-testid="notes"
        rows={3}
        maxLength={10_000}
        defaultValue={call.call.value.notes ?? ''}
        onChange={(event) => {
          const { value } = event.currentTarget;
          attempt(() => save(value));
        }}
      />
    </Field>
  );
}
