import { Badge } from '@mantine/core';
import { linkTexts } from './texts/texts';
import type { LinkStatus } from './use-links';

/** Whether customers can still join through a link. */
export function LinkStatusBadge({ status }: { status: LinkStatus }) {
  const texts = linkTexts.use();
  return (
    <Badge variant={status === 'active' ? 'light' : 'default'} color="green">
      {texts.statuses[status]}
    </Badge>
  );
}
