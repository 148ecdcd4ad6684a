import { useApp, useReader, useTexts } from '../../app/app-context';
import { hourText } from '../../format/time-text';
import { waitText } from '../../../shared/texts/wait/wait-text';
import { saidWait } from '../../state/call-facts';
import type { LinkValidation } from '../../state/server.types';

/** What a customer wants to know before joining: open, how many are waiting, how long. */
export function LinkFacts({ link }: { link: LinkValidation }) {
  const { page } = useApp();
  const texts = useTexts();
  const reader = useReader();
  const { form } = texts;
  const wait = saidWait(link);
  return (
    <ul class="facts">
      {/* A department that closes during a join is closed already, and closes_at is its next closing. */}
      {link.open && (
        <li class="fact fact-open">
          {link.closes_at ? form.openUntil(hourText(link.closes_at, page.timezone, reader)) : form.open}
        </li>
      )}
      <li class="fact">{form.ahead(link.queue_size)}</li>
      {wait && <li class="fact">{form.wait(waitText(wait, texts.range, reader.language))}</li>}
      {!wait && <li class="fact fact-nobody">{form.nobody}</li>}
    </ul>
  );
}
