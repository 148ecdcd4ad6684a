import { useEffect } from 'preact/hooks';
import { keepAwake } from '../device/wake-lock';
import type { Screen } from '../state/state.types';
import { useNow } from '../ui/use-countdown';
import { useApp, useTexts } from './app-context';
import { useLinkRefresh } from './use-link-refresh';
import { pageTitle } from './page-title';

const AWAKE: ReadonlySet<Screen> = new Set<Screen>(['waiting', 'called', 'in_call']);

/** What happens around the screens: title, screen lock, ringing, the claim of this tab. */
export function useSurroundings(): void {
  const { store, attention, claim, language, page } = useApp();
  const texts = useTexts();
  const { screen } = store.state.value;
  // Another tab of this browser that holds the call rings, too.
  const isCalled = screen === 'called' && claim.claim.value !== 'other';
  const now = useNow(isCalled);
  const title = pageTitle(store.state.value, {
    texts,
    language: language.value,
    company: page.company?.name ?? '',
    isFlashing: isCalled && Math.floor(now / 1000) % 2 === 0,
  });
  useEffect(() => {
    document.title = title;
  }, [title]);
  const isAwake = AWAKE.has(screen);
  useEffect(() => (isAwake ? keepAwake() : undefined), [isAwake]);
  useEffect(() => {
    if (!isCalled) return undefined;
    const { title, body } = texts.notification;
    attention.start({ title, body: body(page.company?.name ?? '') });
    return () => attention.stop();
  }, [isCalled]);
  useEffect(() => {
    if (screen !== 'called' && screen !== 'in_call') claim.release();
  }, [screen]);
  useLinkRefresh();
}
