import { texts } from '../texts/language';
import { attempt } from '../ui/errors';
import type { QueueState } from './queue-state';

/** The agent chooses to be available or paused; busy and offline come by themselves. */
export function PresenceSwitch({ queue }: { queue: QueueState }) {
  const { presence: labels } = texts.value;
  const presence = queue.presence.value;
  return (
    <label class={`presence presence-${presence}`}>
      <span class="hidden">{labels.label}</span>
      <select
        data-testid="presence"
        value={presence}
        onChange={(event) => {
          const chosen = event.currentTarget.value as 'online' | 'away';
          attempt(() => queue.choosePresence(chosen));
        }}
      >
        <option value="online">{labels.online}</option>
        <option value="away">{labels.away}</option>
        {presence === 'busy' && <option value="busy">{labels.busy}</option>}
        {presence === 'offline' && <option value="offline">{labels.offline}</option>}
      </select>
    </label>
  );
}
