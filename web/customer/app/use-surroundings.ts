import { useEffect, useRef } from 'preact/hooks';
import { keepAwake } from '../device/wake-lock';
import type { Screen } from '../state/state.types';
import { useNow } from '../ui/use-countdown';
import { useApp, useTexts } from './app-context';
import { useLinkRefresh } from './use-link-refresh';
import { pageTitle } from './page-title';
import { needsClaim, ringReason } from './ring-reason';
import { useIsHidden } from './use-is-hidden';
import { useRinging } from './use-ringing';

const AWAKE: ReadonlySet<Screen> = new Set<Screen>(['waiting', 'called', 'in_call']);

/** What happens around the screens: title, screen lock, ringing, the claim of this tab. */
export function useSurroundings(): void {
  const { store, claim, language, page } = useApp();
  const texts = useTexts();
  const state = store.state.value;
  const { screen } = state;
  const reason = ringReason(state, { claim: claim.claim.value, hasLooked: useHasLooked(screen) });
  const now = useNow(reason !== null);
  const title = pageTitle(state, {
    texts,
    language: language.value,
    company: page.company?.name ?? '',
    ringing: reason !== null && (prefersStillness() || Math.floor(now / 1000) % 2 === 0) ? reason : null,
  });
  useEffect(() => {
    document.title = title;
  }, [title]);
  const isAwake = AWAKE.has(screen);
  useEffect(() => (isAwake ? keepAwake() : undefined), [isAwake]);
  useRinging(reason, screen);
  const isClaimed = needsClaim(state);
  useEffect(() => (isClaimed ? claim.ask() : claim.release()), [isClaimed]);
  useLinkRefresh();
}

const prefersStillness = (): boolean => globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Whether the page has been visible since the call began. */
function useHasLooked(screen: Screen): boolean {
  const isHidden = useIsHidden();
  const hasLooked = useRef(false);
  hasLooked.current = screen === 'in_call' && (hasLooked.current || !isHidden);
  return hasLooked.current;
}
