import { useEffect } from 'preact/hooks';
import type { Screen } from '../state/state.types';
import { useApp, useTexts } from './app-context';
import type { RingReason } from './ring-reason';

const BEFORE_RINGING: ReadonlySet<Screen> = new Set<Screen>(['waiting', 'callback']);
const GESTURES = ['pointerup', 'keydown'] as const;

/** Rings while there is a reason. An invitation lasts for minutes: it rings until the customer does something. */
export function useRinging(reason: RingReason | null, screen: Screen): void {
  const { attention, page } = useApp();
  const { notification } = useTexts();
  const mayRing = BEFORE_RINGING.has(screen);
  // A reloaded page may make no sound before the next tap, whatever it is for.
  useEffect(() => (mayRing ? onGesture(() => attention.unlock()) : undefined), [mayRing]);
  useEffect(() => {
    if (reason === null) return undefined;
    const { title, body } = notification[reason];
    attention.start({ title, body: body(page.company?.name ?? '') });
    const ignore = reason === 'invited' ? onGesture(() => attention.stop()) : undefined;
    return () => {
      ignore?.();
      attention.stop();
    };
  }, [reason]);
}

function onGesture(listener: () => void): () => void {
  for (const name of GESTURES) addEventListener(name, listener);
  return () => {
    for (const name of GESTURES) removeEventListener(name, listener);
  };
}
