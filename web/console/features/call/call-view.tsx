import './call.css';
import { Button, Group, Title } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { AgentCall } from '../../state/agent-call';
import { useConsole } from '../../state/console-context';
import { useShortcut } from '../../ui/shortcuts/use-shortcut';
import { useAttempt } from '../../ui/use-attempt';
import { useSignalValue } from '../../ui/use-signal-value';
import { CallEnd } from './call-end';
import { CallSide } from './call-side';
import { CallStage } from './call-stage';
import { CallProblems, CallStatus } from './call-status';
import { CallControls } from './controls/call-controls';
import { EndButton } from './controls/end-button';
import { RecordingStatus } from './controls/record-button';
import { callTexts } from './texts/texts';
import { TransferStatus } from './transfer/transfer-status';

/**
 * The call of the agent: pictures and controls, and beside them what belongs to the customer. After the end only the pictures
 * and controls go: somebody may be typing beside them.
 */
export function CallView({ call }: { call: AgentCall }) {
  const { call: labels } = callTexts.use();
  const item = useSignalValue(call.call);
  const hasEnded = useSignalValue(call.hasEnded);
  return (
    <section className="call" aria-label={labels.title(item.customer_name)}>
      <div className="call-main">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h4">
            {labels.title(item.customer_name)}
          </Title>
          {!hasEnded && <CallStatus call={call} />}
        </Group>
        {hasEnded ? <CallEnd call={call} /> : <RunningCall call={call} />}
        <RecordingStatus call={call} />
      </div>
      <CallSide key={call.id} call={call} />
    </section>
  );
}

function RunningCall({ call }: { call: AgentCall }) {
  const { call: labels } = callTexts.use();
  const state = useConsole();
  const attempt = useAttempt();
  const start = () => attempt(() => state.startCall(call.id));
  const isReserved = useSignalValue(call.call).status === 'assigned';
  useShortcut({ keys: 'a', label: labels.start, action: start, isEnabled: isReserved });
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  return (
    <>
      {isReserved && (
        <Button data-testid="answer" onClick={start}>
          {labels.start}
        </Button>
      )}
      <CallProblems call={call} />
      {/* Its texts must not hide the pictures while they are loaded. */}
      <Suspense>
        <TransferStatus call={call} />
      </Suspense>
      <CallStage call={call} onVideo={setVideo} />
      <div className="call-bar">
        <CallControls call={call} video={video} />
        <EndButton call={call} />
      </div>
    </>
  );
}
