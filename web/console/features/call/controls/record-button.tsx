import { Text } from '@mantine/core';
import type { AgentCall } from '../../../state/agent-call';
import { canRecord } from '../../../state/recordings/call-recorder';
import { useShortcut } from '../../../ui/shortcuts/use-shortcut';
import { useAttempt } from '../../../ui/use-attempt';
import { useSignalValue } from '../../../ui/use-signal-value';
import { callTexts } from '../texts/texts';
import { ControlButton } from './control-button';

/** Asks the customer, records after they agreed, and uploads at the end. */
export function RecordButton({ call }: { call: AgentCall }) {
  const { recording: labels } = callTexts.use();
  const attempt = useAttempt();
  const { recorder } = call;
  const isOn = useSignalValue(recorder.isRunning);
  const { recording, consent } = useSignalValue(call.recording);
  const isAsked = recording === 'requested' && consent === null;
  const label = isOn ? labels.stop : labels.start;
  const toggle = () => attempt(() => recorder.toggle());
  useShortcut({ keys: 'r', label, action: toggle, isEnabled: canRecord() && !isAsked });
  if (!canRecord()) return null;
  return (
    <ControlButton
      icon={isOn ? 'stop' : 'record'}
      label={label}
      look={isOn ? 'live' : undefined}
      keys="r"
      testId="record"
      data-recording={isOn}
      disabled={isAsked}
      onClick={toggle}
    />
  );
}

/** Whether it records, what the customer said, and what became of the recording. */
export function RecordingStatus({ call }: { call: AgentCall }) {
  const { recording: labels } = callTexts.use();
  const isOn = useSignalValue(call.recorder.isRunning);
  const progress = useSignalValue(call.recorder.progress);
  const hasFailed = useSignalValue(call.recorder.hasFailed);
  const { recording, consent } = useSignalValue(call.recording);
  const parts = [
    isOn && labels.on,
    recording === 'requested' && consent === null && labels.asked,
    consent === false && labels.refused,
    hasFailed && labels.notStarted,
    !isOn && progress && labels[progress],
  ];
  return (
    <Text role="status" size="sm" fw={isOn ? 700 : undefined} data-testid="recording-status">
      {parts.filter(Boolean).join(' ')}
    </Text>
  );
}
