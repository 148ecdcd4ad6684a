import { playRing } from '../../../../shared/ring-tone';

const RING_INTERVAL_MS = 2500;
const GESTURES = ['pointerup', 'keydown'] as const;

let context: AudioContext | undefined;

/**
 * Rings until it is stopped. A page that nobody has touched since it was loaded may not make a sound: it begins with the next
 * click or key.
 * @returns stops it
 */
export function startRinging(): () => void {
  const ring = () => {
    if (!mayPlay()) return;
    context ??= new AudioContext();
    if (context.state === 'running') playRing(context);
    else context.resume().catch(() => undefined);
  };
  const onGesture = () => {
    for (const name of GESTURES) removeEventListener(name, onGesture);
    ring();
  };
  if (!mayPlay()) for (const name of GESTURES) addEventListener(name, onGesture);
  ring();
  const timer = setInterval(ring, RING_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    for (const name of GESTURES) removeEventListener(name, onGesture);
  };
}

/** Browsers without the property let a page try. */
export const mayPlay = (): boolean => navigator.userActivation?.hasBeenActive ?? true;
