import { useApp, useTexts } from '../../app/app-context';
import { Notice } from '../../ui/notice';
import { useNow } from '../../ui/use-countdown';

/** A short loss is not worth a word. */
const SHOWN_AFTER_MS = 2000;

/**
 * In the line without a connection: the place is kept, for a while.
 * @param isAway whether the customer will be called back, and may stay away as long as they like
 */
export function ConnectionNotice({ isAway = false }: { isAway?: boolean }) {
  const { live, page } = useApp();
  const { waiting } = useTexts();
  const since = live.offlineSince.value;
  const offlineMs = useNow(since !== null) - (since ?? Infinity);
  if (offlineMs < SHOWN_AFTER_MS) return null;
  const isTooLong = !isAway && offlineMs > page.absence_seconds * 1000;
  return (
    <Notice tone="warning" icon="offline" role="status" testId="reconnecting">
      {isTooLong ? waiting.lost : waiting.reconnecting}
    </Notice>
  );
}
