import { NotifyButton } from '../features/queue/offers/notify-button';
import { QueueList } from '../features/queue/line/queue-list';
import { queueTexts } from '../features/queue/texts/texts';
import { WrapUp } from '../features/queue/wrap-up';
import { Page } from '../ui/page';

/** Where agents work: the running call above the line of those who wait. */
export default function WorkplacePage() {
  const texts = queueTexts.use();
  return (
    <Page title={texts.title} actions={<NotifyButton />}>
      <WrapUp />
      <QueueList />
    </Page>
  );
}
