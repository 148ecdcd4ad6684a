import './call.css';
import { Button, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import type { AgentCall } from '../../state/agent-call';
import { useConsole } from '../../state/console-context';
import { useAttempt } from '../../ui/use-attempt';
import { useSignalValue } from '../../ui/use-signal-value';
import { CallControls } from './call-controls';
import { CallFacts } from './call-facts';
import { CallNotes } from './call-notes';
import { CallStage } from './call-stage';
import { CallProblems, CallStatus } from './call-status';
import { ChatPanel } from './chat-panel';
import { RecordingStatus } from './record-button';
import { callTexts } from './texts/texts';
import { TransferForm } from './transfer-form';

/** The call of the agent: pictures and controls, and beside them what belongs to the customer. */
export function CallView({ call }: { call: AgentCall }) {
  const { call: labels } = callTexts.use();
  const state = useConsole();
  const attempt = useAttempt();
  const item = useSignalValue(call.call);
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  return (
    <section className="call" aria-label={labels.title(item.customer_name)}>
      <Stack gap="xs" className="call-main">
        <Title order={2} size="h4">
          {labels.title(item.customer_name)}
        </Title>
        <CallStatus call={call} />
        {item.status === 'assigned' && (
          <Button data-testid="answer" onClick={() => attempt(() => state.startCall(call.id))}>
            {labels.start}
          </Button>
        )}
        <CallProblems call={call} />
        <CallStage call={call} onVideo={setVideo} />
        <CallControls call={call} video={video} />
        <RecordingStatus call={call} />
      </Stack>
      <Stack gap="md" className="call-side">
        <CallFacts call={call} />
        <CallNotes call={call} />
        <ChatPanel call={call} />
        <TransferForm call={call} />
      </Stack>
    </section>
  );
}
