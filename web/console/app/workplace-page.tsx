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

const loadCallView = async () => ({ default: (await import('../features/call/call-view')).CallView });
const CallView = lazy(loadCallView);
const AfterCall = lazy(async () => ({ default: (await import('../features/call/after-call')).AfterCall }));

/** Where agents work: the running call above the line of those who wait. */
export default function WorkplacePage() {
  const texts = queueTexts.use();
  const call = useSignalValue(useConsole().call);
  // The line is there first, and the call without a delay when it comes.
  useEffect(() => void loadCallView().catch(() => undefined), []);
  return (
    <Page title={texts.title} actions={<NotifyButton />}>
      {call && (
        <Suspense fallback={<Skeleton height={320} />}>
          <CallView key={call.id} call={call} />
        </Suspense>
      )}
      <CallElsewhere />
      <WrapUp />
      <Suspense>
        <AfterCall />
      </Suspense>
      <QueueList />
    </Page>
  );
}
