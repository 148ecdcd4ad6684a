import { useEffect } from 'preact/hooks';
import { onReturn } from '../../shared/on-return';
import { spread } from '../../shared/socket-retry';
import { isBusyService, isFinalProblem } from '../state/refusals';
import type { State } from '../state/state.types';
import { useApp } from './app-context';

const INTERVAL_MS = 60_000;
/** While nobody can join by the link yet, or the service has failed. Where it is only busy, the screen repeats the request. */
const PROBLEM_INTERVAL_MS = 15_000;
/** At most, after an opening time: the clocks of device and service need not agree to the second, nor do all pages come at once. */
const AFTER_OPENING_MS = 4000;
const MAX_TIMEOUT_MS = 2_147_483_647;

/** @returns milliseconds between two readings of the link; null on screens that need none */
export function refreshInterval(state: State): number | null {
  if (state.screen === 'problem') {
    const { problem } = state;
    return isFinalProblem(problem) || isBusyService(problem) ? null : PROBLEM_INTERVAL_MS;
  }
  return ['form', 'closed', 'full'].includes(state.screen) ? INTERVAL_MS : null;
}

/** Before the line, the page keeps what it says about the department up to date while somebody sees it. */
export function useLinkRefresh(): void {
  const { store, entry } = useApp();
  const state = store.state.value;
  const interval = refreshInterval(state);
  const opensAt = state.screen === 'closed' ? state.opensAt : null;
  useEffect(() => {
    if (interval === null) return undefined;
    let readAt = Date.now();
    const refresh = () => {
      if (document.visibilityState !== 'visible' || Date.now() - readAt < interval / 2) return;
      readAt = Date.now();
      void entry.refreshLink();
    };
    const timer = setInterval(refresh, interval);
    const stop = onReturn(refresh);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [interval]);
  useEffect(() => {
    if (opensAt === null) return undefined;
    const ms = Date.parse(opensAt) - Date.now() + spread(AFTER_OPENING_MS);
    if (ms > MAX_TIMEOUT_MS) return undefined;
    const timer = setTimeout(() => void entry.refreshLink(), Math.max(0, ms));
    return () => clearTimeout(timer);
  }, [opensAt]);
}
