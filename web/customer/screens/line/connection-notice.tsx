import { useApp, useTexts } from '../../app/app-context';
import { Notice } from '../../ui/notice';
import { useNow } from '../../ui/use-countdown';

/** A short loss is not worth a word. */
const SHOWN_AFTER_MS = 2000;

/** In the line without a connection: the place is kept, for a while. */
export function ConnectionNotice() {
  const { live, page } = useApp();
  const { waiting } = useTexts();
  const since = live.offlineSince.value;
  const offlineMs = useNow(since !== null) - (since ?? Infinity);
  if (offlineMs < SHOWN_AFTER_MS) return null;
  const isTooLong = offlineMs > page.absence_seconds * 1000;
  return (
    <Notice tone="warning" icon="offline" role="status" testId="reconnecting">
      {isTooLong ? waiting.lost : waiting.reconnecting}
    </Notice>
  );
}
