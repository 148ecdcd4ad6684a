import './call.css';
import { Card, Title } from '@mantine/core';
import { useConsole } from '../../state/console-context';
import { useSignalValue } from '../../ui/use-signal-value';
import { NotesPanel } from './notes/notes-panel';
import { CallTags } from './tags/call-tags';
import { callTexts } from './texts/texts';

/** Notes and tags of the call that has just ended, for the time after it. */
export function AfterCall() {
  const { afterCall: title } = callTexts.use();
  const { call, lastCall, queue } = useConsole();
  const isInCall = useSignalValue(call) !== null;
  const ended = useSignalValue(lastCall);
  const isWrappingUp = useSignalValue(queue.own)?.state === 'wrap_up';
  if (isInCall || !ended || !isWrappingUp) return null;
  return (
    <Card withBorder component="section" aria-labelledby="after-call" data-testid="after-call">
      <Title order={2} size="h4" id="after-call" mb="xs">
        {title(ended.customer_name)}
      </Title>
      <div className="call-written">
        <NotesPanel key={ended.id} callId={ended.id} initial={ended.notes ?? ''} />
        <CallTags callId={ended.id} />
      </div>
    </Card>
  );
}
