import { useEffect } from 'preact/hooks';
import { useApp, useTexts } from '../../app/app-context';

/**
 * For screens that offer to join again.
 * @param isAsked whether the screen does so, which costs a request
 * @returns why the link no longer works, which a link for one call tells nobody before its call; null if it may work
 */
export function useLinkEnd(isAsked = true): string | null {
  const { entry, store } = useApp();
  const { problem } = useTexts();
  useEffect(() => {
    if (isAsked && store.linkEnd.peek() === null) void entry.refreshLink();
  }, [isAsked]);
  const code = store.linkEnd.value;
  return code && `${problem[code]}. ${problem[`${code}Text`]}`;
}
