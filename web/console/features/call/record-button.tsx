import { Button, Text } from '@mantine/core';
import type { AgentCall } from '../../state/agent-call';
import { canRecord } from '../../state/recordings/call-recorder';
import { useAttempt } from '../../ui/use-attempt';
import { useSignalValue } from '../../ui/use-signal-value';
import { callTexts } from './texts/texts';

/** Asks the customer, records after they agreed, and uploads at the end. */
export function RecordButton({ call }: { call: AgentCall }) {
  const { recording: labels } = callTexts.use();
  const attempt = useAttempt();
  const { recorder } = call;
  const isOn = useSignalValue(recorder.isRunning);
  const { recording, consent } = useSignalValue(call.recording);
  if (!canRecord()) return null;
  return (
    <Button
      variant={isOn ? 'filled' : 'default'}
      color="red"
      data-testid="record"
      data-recording={isOn}
      disabled={recording === 'requested' && consent === null}
      onClick={() => attempt(() => recorder.toggle())}
    >
      {isOn ? labels.stop : labels.start}
    </Button>
  );
}

/** Whether it records, what the customer said, and what became of the recording. */
export function RecordingStatus({ call }: { call: AgentCall }) {
  const { recording: labels } = callTexts.use();
  const isOn = useSignalValue(call.recorder.isRunning);
  const progress = useSignalValue(call.recorder.progress);
  const hasFailed = useSignalValue(call.recorder.hasFailed);
  const { recording, consent } = useSignalValue(call.recording);
  return (
    <Text role="status" size="sm" data-testid="recording-status">
      {isOn && labels.on}
      {recording === 'requested' && consent === null && labels.asked}
      {consent === false && labels.refused}
      {hasFailed && labels.notStarted}
      {!isOn && progress && labels[progress]}
    </Text>
  );
}
