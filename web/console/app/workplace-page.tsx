import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useEffect } from 'react';
import { CallElsewhere } from '../features/queue/call-elsewhere';
import { QueueList } from '../features/queue/line/queue-list';
import { NotifyButton } from '../features/queue/offers/notify-button';
import { queueTexts } from '../features/queue/texts/texts';
import { WrapUp } from '../features/queue/wrap-up';
import { useConsole } from '../state/console-context';
import { Page } from '../ui/page';
import { useSignalValue } from '../ui/use-signal-value';

/** After the line is there, so that the call does not delay it, and is there itself when one comes. */
const PRELOAD_MS = 1000;

const loadCallView = async () => ({ default: (await import('../features/call/call-view')).CallView });
const CallView = lazy(loadCallView);
const AfterCall = lazy(async () => ({ default: (await import('../features/call/after-call')).AfterCall }));

/** Where agents work: the running call above the line of those who wait. */
export default function WorkplacePage() {
  const texts = queueTexts.use();
  const state = useConsole();
  const call = useSignalValue(state.call);
  const hasLine = useSignalValue(state.queue.newsAt) !== null;
  const isWrappingUp = useSignalValue(state.queue.own)?.state === 'wrap_up';
  useEffect(() => {
    if (!hasLine) return undefined;
    // The call loads it again if this fails, and shows an error then.
    const timer = setTimeout(() => loadCallView().catch(() => undefined), PRELOAD_MS);
    return () => clearTimeout(timer);
  }, [hasLine]);
  return (
    <Page title={texts.title} actions={<NotifyButton />}>
      {call && (
        <Suspense fallback={<Skeleton height={320} />}>
          <CallView key={call.id} call={call} />
        </Suspense>
      )}
      <CallElsewhere />
      <WrapUp />
      {isWrappingUp && (
        <Suspense>
          <AfterCall />
        </Suspense>
      )}
      <QueueList />
    </Page>
  );
}
