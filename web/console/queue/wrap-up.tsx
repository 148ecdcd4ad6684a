import { unwrap } from '../../shared/api/client';
import type { ConsoleState } from '../console-state';
import { texts } from '../texts/language';
import { attempt } from '../ui/errors';
import { formatDuration } from '../ui/duration';
import { now } from '../ui/now';

/** The time after a call in which the agent gets no other one. */
export function WrapUp({ state }: { state: ConsoleState }) {
  const own = state.queue.own;
  if (own?.state !== 'wrap_up' || !own.wrap_up_until) return null;
  const { wrapUp } = texts.value;
  const finish = () => unwrap(state.session.api.POST('/api/v1/users/me/wrap-up/finish'));
  return (
    <section class="card">
      <h2>
        {wrapUp.title} {formatDuration(Date.parse(own.wrap_up_until) - now.value)}
      </h2>
      <button type="button" data-testid="wrap-up-finish" onClick={() => attempt(finish)}>
        {wrapUp.finish}
      </button>
    </section>
  );
}
