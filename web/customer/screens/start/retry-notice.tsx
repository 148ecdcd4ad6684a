import { useApp, useTexts } from '../../app/app-context';
import { errorText } from '../../format/error-text';
import { number } from '../../../shared/texts/wait/wait-text';
import type { Retry } from '../../../shared/api/retry';
import { Notice } from '../../ui/notice';
import { useSecondsUntil } from '../../ui/use-countdown';

/** Why a request has not been answered yet, and when the next attempt is. */
export function RetryNotice({ retry, stopLabel }: { retry: Retry | null; stopLabel: string }) {
  const { entry, language } = useApp();
  const texts = useTexts();
  const seconds = useSecondsUntil(retry?.at ?? null);
  if (!retry) return null;
  return (
    <Notice tone="warning" icon="offline">
      <p role="status">{errorText(retry.problem, texts)}</p>
      <p class="fine">{texts.errors.nextTry(number(seconds, language.value))}</p>
      <button class="button-link" type="button" onClick={() => entry.stop()}>
        {stopLabel}
      </button>
    </Notice>
  );
}
