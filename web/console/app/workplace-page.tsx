import { Skeleton } from '@mantine/core';
import { callTexts } from '../features/call/texts/texts';
import { CallElsewhere } from '../features/queue/call-elsewhere';
import { QueueList } from '../features/queue/line/queue-list';
import { NotifyButton } from '../features/queue/offers/notify-button';
import { queueTexts } from '../features/queue/texts/texts';
import { WrapUp } from '../features/queue/wrap-up';
import { useConsole } from '../state/console-context';
import { browserReplyTexts } from '../ui/browser-replies/texts/texts';
import { callTagsTexts } from '../ui/call-tags/texts/texts';
import { handOverTexts } from '../ui/hand-over/texts/texts';
import { LatePart } from '../ui/late/late-part';
import { Page } from '../ui/page';
import { useSignalValue } from '../ui/use-signal-value';

/** With its texts, so that nothing of it is loaded in the middle of a call. */
async function loadCallView() {
  const [{ CallView }] = await Promise.all([
    import('../features/call/call-view'),
    ...[callTexts, callTagsTexts, handOverTexts, browserReplyTexts].map((texts) => texts.preload()),
  ]);
  return { default: CallView };
}

async function loadAfterCall() {
  const [{ AfterCall }] = await Promise.all([
    import('../features/call/after-call'),
    browserReplyTexts.preload(),
  ]);
  return { default: AfterCall };
}

/** Where agents work: the running call above the line of those who wait. */
export default function WorkplacePage() {
  const texts = queueTexts.use();
  const state = useConsole();
  const running = useSignalValue(state.call);
  const ended = useSignalValue(state.ended.current);
  // One key for both: React keeps the fields, and what is typed in them, when the call ends.
  const call = running ?? ended;
  const hasLine = useSignalValue(state.queue.newsAt) !== null;
  const isWrappingUp = useSignalValue(state.queue.own)?.state === 'wrap_up';
  return (
    <Page title={texts.title} actions={<NotifyButton />}>
      <CallElsewhere />
      {/* Loaded after the line, so that they do not delay it. */}
      {(hasLine || call) && (
        <LatePart load={loadCallView} isNeeded={call !== null} fallback={<Skeleton height={320} />}>
          {(CallView) => call && <CallView key={call.id} call={call} />}
        </LatePart>
      )}
      <WrapUp />
      {hasLine && (
        <LatePart load={loadAfterCall} isNeeded={isWrappingUp && !call}>
          {(AfterCall) => <AfterCall />}
        </LatePart>
      )}
      <QueueList />
    </Page>
  );
}
