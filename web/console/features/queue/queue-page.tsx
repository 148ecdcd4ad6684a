import { Page } from '../../ui/page';

export default function QueuePage() {
  return <Page title="Queue">{null}</Page>;
}
