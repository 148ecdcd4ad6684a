import type { ConsoleState } from '../console-state';
import type { WaitingCall } from '../../shared/socket';
import { texts } from '../texts/language';
import { attempt } from '../ui/errors';
import { formatDuration } from '../ui/duration';
import { now } from '../ui/now';

/** The customers who wait in the agent's departments, in the order of each queue. */
export function QueueList({ state }: { state: ConsoleState }) {
  const { queue } = texts.value;
  const waiting = state.queue.waiting.value;
  return (
    <section class="card">
      <h2>
        {queue.title} <span class="count">{waiting.length}</span>
      </h2>
      {waiting.length === 0 && <p>{queue.empty}</p>}
      <ul class="queue">
        {waiting.map((call) => (
          <QueueRow key={call.id} call={call} state={state} />
        ))}
      </ul>
    </section>
  );
}

function QueueRow({ call, state }: { call: WaitingCall; state: ConsoleState }) {
  const { queue } = texts.value;
  const isCalledBack = call.callback?.status === 'requested' || call.callback?.status === 'invited';
  return (
    <li data-testid="queue-row">
      <span>
        <strong>{call.customer_name}</strong>
        <small>
          {call.department_name} · {queue.waiting(formatDuration(now.value - Date.parse(call.inserted_at)))}
          {isCalledBack ? ` · ${queue.calledBack}` : call.absent_since && ` · ${queue.absent}`}
        </small>
      </span>
      <button
        type="button"
        class="primary"
        data-testid="answer"
        disabled={state.call.value !== null || isCalledBack}
        onClick={() => attempt(() => state.answer(call.id))}
      >
        {queue.answer}
      </button>
    </li>
  );
}
