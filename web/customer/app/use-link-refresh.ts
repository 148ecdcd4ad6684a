import { useEffect } from 'preact/hooks';
import { onReturn } from '../../shared/on-return';
import type { Screen } from '../state/state.types';
import { useApp } from './app-context';

const INTERVAL_MS = 60_000;
/** After an opening time, so that the clocks of device and service need not agree to the second. */
const AFTER_OPENING_MS = 2000;
const MAX_TIMEOUT_MS = 2_147_483_647;

const REFRESHED: ReadonlySet<Screen> = new Set<Screen>(['form', 'closed', 'full']);

/** Before the line, the page keeps what it says about the department up to date while somebody sees it. */
export function useLinkRefresh(screen: Screen): void {
  const { store, entry } = useApp();
  const isRefreshed = REFRESHED.has(screen);
  const opensAt = screen === 'closed' ? (store.link.value?.opens_at ?? null) : null;
  useEffect(() => {
    if (!isRefreshed) return undefined;
    let readAt = Date.now();
    const refresh = () => {
      if (document.visibilityState !== 'visible' || Date.now() - readAt < INTERVAL_MS / 2) return;
      readAt = Date.now();
      void entry.refreshLink();
    };
    const timer = setInterval(refresh, INTERVAL_MS);
    const stop = onReturn(refresh);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [isRefreshed]);
  useEffect(() => {
    if (opensAt === null) return undefined;
    const ms = Date.parse(opensAt) - Date.now() + AFTER_OPENING_MS;
    if (ms > MAX_TIMEOUT_MS) return undefined;
    const timer = setTimeout(() => void entry.refreshLink(), Math.max(0, ms));
    return () => clearTimeout(timer);
  }, [opensAt]);
}
