import { RingTone } from '../../../../shared/ring-tone';

const RING_INTERVAL_MS = 2500;
const GESTURES = ['pointerup', 'keydown'] as const;

const tone = new RingTone();

/**
 * Rings until it is stopped. A page that nobody has touched since it was loaded may not make a sound: it begins with the next
 * click or key.
 * @returns stops it
 */
export function startRinging(): () => void {
  let isWanted = true;
  const ring = () => {
    if (mayPlay()) void tone.ring(() => isWanted);
  };
  const onGesture = () => {
    for (const name of GESTURES) removeEventListener(name, onGesture);
    ring();
  };
  if (!mayPlay()) for (const name of GESTURES) addEventListener(name, onGesture);
  ring();
  const timer = setInterval(ring, RING_INTERVAL_MS);
  return () => {
    isWanted = false;
    clearInterval(timer);
    for (const name of GESTURES) removeEventListener(name, onGesture);
  };
}

/** Browsers without the property let a page try. */
export const mayPlay = (): boolean => navigator.userActivation?.hasBeenActive ?? true;
