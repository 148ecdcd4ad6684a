import { CallView } from '../features/call/call-view';
import { NotifyButton } from '../features/queue/offers/notify-button';
import { QueueList } from '../features/queue/line/queue-list';
import { queueTexts } from '../features/queue/texts/texts';
import { WrapUp } from '../features/queue/wrap-up';
import { useConsole } from '../state/console-context';
import { Page } from '../ui/page';
import { useSignalValue } from '../ui/use-signal-value';

/** Where agents work: the running call above the line of those who wait. */
export default function WorkplacePage() {
  const texts = queueTexts.use();
  const call = useSignalValue(useConsole().call);
  return (
    <Page title={texts.title} actions={<NotifyButton />}>
      {call && <CallView key={call.id} call={call} />}
      <WrapUp />
      <QueueList />
    </Page>
  );
}
