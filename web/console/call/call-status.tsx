import { useComputed } from '@preact/signals';
import { texts } from '../texts/language';
import { now } from '../ui/now';
import type { AgentCall } from './agent-call';

/** State, quality, and what keeps the call from working. */
export function CallStatus({ call }: { call: AgentCall }) {
  const { call: labels, quality: levels } = texts.value;
  const state = call.state.value;
  const quality = call.quality.value;
  const isConnected = state === 'connected' || state === 'audio_only';
  return (
    <div class="status" data-testid="call-status" data-status={call.call.value.status}>
      <p role="status" data-testid={state === 'reconnecting' ? 'reconnecting' : 'call-state'}>
        {labels.state[state]}
      </p>
      {quality && isConnected && (
        <p data-testid="quality" data-level={quality.level} class={`quality quality-${quality.level}`}>
          {levels.label}: {levels[quality.level]}
          {quality.rtt_ms !== null && ` (${levels.details(quality.rtt_ms)})`}
        </p>
      )}
      {call.remoteMedia.value?.audio === false && <p>{labels.customerMuted}</p>}
      <GraceCountdown call={call} />
      <DeviceProblems call={call} />
      {call.isSoundBlocked.value && (
        <button type="button" class="primary" onClick={() => void call.session.playSound()}>
          {labels.soundBlocked}
        </button>
      )}
    </div>
  );
}

/** Counts from the event, because the clock of this computer can be wrong. */
function GraceCountdown({ call }: { call: AgentCall }) {
  const endsAt = useComputed(() => {
    const grace = call.grace.value;
    return grace?.participant === 'customer' ? Date.now() + grace.seconds * 1000 : null;
  });
  if (endsAt.value === null) return null;
  return <p>{texts.value.call.grace(Math.max(0, Math.ceil((endsAt.value - now.value) / 1000)))}</p>;
}

function DeviceProblems({ call }: { call: AgentCall }) {
  const labels = texts.value.call;
  const { audio, camera } = call.devices.value;
  const explain = (name: string, status: typeof audio) =>
    status !== 'ok' && status !== 'off' && status !== 'prompt' ? (
      <p class="problem">
        {name}: {labels.device[status]}
      </p>
    ) : null;
  return (
    <>
      {explain(labels.microphone, audio)}
      {explain(labels.camera, camera)}
    </>
  );
}
