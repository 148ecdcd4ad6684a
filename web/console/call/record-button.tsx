import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ConsoleState } from '../console-state';
import { canRecord } from '../recordings/call-recorder';
import { Recording } from '../recordings/recording';
import { texts } from '../texts/language';
import { attempt } from '../ui/errors';
import type { AgentCall } from './agent-call';

/** Asks the customer, records after they agreed, and uploads at the end. */
export function RecordButton({ call, state }: { call: AgentCall; state: ConsoleState }) {
  const { recording: labels } = texts.value;
  const recording = useMemo(() => new Recording(call, state.userId, state.uploads), [call, state]);
  const wasAsked = useSignal(false);
  const { recording: current, consent } = call.recording.value;
  useSignalEffect(() => {
    const { recording: now, consent: agreed } = call.recording.value;
    if (wasAsked.value && now === 'requested' && agreed) {
      wasAsked.value = false;
      attempt(() => recording.start());
    }
    if (now === 'on' && agreed) void recording.resume();
    if (agreed === false) void recording.stop();
  });
  useEffect(() => () => void recording.stop(), [recording]);
  if (!canRecord()) return null;
  const isOn = recording.isRunning.value;
  const ask = () => {
    wasAsked.value = true;
    return call.setRecording('requested');
  };
  return (
    <div class="recording">
      <button
        type="button"
        data-testid="record"
        data-recording={isOn}
        disabled={current === 'requested' && consent === null}
        onClick={() => attempt(() => (isOn ? recording.stop() : ask()))}
      >
        {isOn ? labels.stop : labels.start}
      </button>
      <span role="status">
        {isOn && labels.on}
        {current === 'requested' && consent === null && labels.asked}
        {consent === false && labels.refused}
        {recording.progress.value && labels[recording.progress.value]}
      </span>
    </div>
  );
}
