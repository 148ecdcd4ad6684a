import './call.css';
import { Card, Title } from '@mantine/core';
import { useConsole } from '../../state/console-context';
import { CallTags } from '../../ui/call-tags/call-tags';
import { useSignalValue } from '../../ui/use-signal-value';
import { NotesPanel } from './notes/notes-panel';
import { callTexts } from './texts/texts';
import { useEndedCall } from './use-ended-call';

/** Notes and tags of the call that has just ended, in another tab than the one that had it. */
export function AfterCall() {
  const { afterCall: title } = callTexts.use();
  const state = useConsole();
  const isInCall = useSignalValue(state.call) !== null;
  const isShown = useSignalValue(state.ended.id) !== null;
  const ended = useEndedCall();
  if (isInCall || isShown || !ended) return null;
  return (
    <Card withBorder component="section" aria-labelledby="after-call" data-testid="after-call">
      <Title order={2} size="h4" id="after-call" mb="xs">
        {title(ended.customer_name)}
      </Title>
      <div className="call-written">
        <NotesPanel key={ended.id} callId={ended.id} notes={ended.notes ?? ''} />
        <CallTags callId={ended.id} />
      </div>
    </Card>
  );
}
