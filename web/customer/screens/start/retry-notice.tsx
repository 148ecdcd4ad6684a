import { useApp, useTexts } from '../../app/app-context';
import { errorText } from '../../format/error-text';
import { number } from '../../../shared/texts/wait/wait-text';
import type { Retry } from '../../../shared/api/retry';
import { Notice } from '../../ui/notice';
import { useSecondsUntil } from '../../ui/use-countdown';

interface RetryNoticeProps {
  retry: Retry | null;
  /** Without it, the attempts cannot be stopped: the page has nothing else to show. */
  stopLabel?: string;
  /** By default, what the state of the page shows is stopped. */
  onStop?: () => void;
}

/** Why a request has not been answered yet, and when the next attempt is. */
export function RetryNotice({ retry, stopLabel, onStop }: RetryNoticeProps) {
  const { entry, language } = useApp();
  const texts = useTexts();
  const seconds = useSecondsUntil(retry?.at ?? null);
  if (!retry) return null;
  return (
    <Notice tone="warning" icon="offline">
      <p role="status">{errorText(retry.problem, texts)}</p>
      <p class="fine">{texts.errors.nextTry(number(seconds, language.value))}</p>
      {stopLabel && (
        <button class="button-link" type="button" onClick={onStop ?? (() => entry.stop())}>
          {stopLabel}
        </button>
      )}
    </Notice>
  );
}
