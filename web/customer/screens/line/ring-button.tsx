import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useApp, useTexts } from '../../app/app-context';
import { Icon } from '../../ui/icon';

const canAsk = () => 'Notification' in globalThis && Notification.permission === 'default';

/** Lets the page ring and notify: browsers want a tap for both. */
export function RingButton() {
  const { attention } = useApp();
  const { waiting } = useTexts();
  const [hasAsked, setAsked] = useState(false);
  const wasPressed = useRef(false);
  const ready = useRef<HTMLParagraphElement>(null);
  const isReady = attention.canRing.value && (hasAsked || !canAsk());
  // The button that had the focus is gone.
  useLayoutEffect(() => {
    if (wasPressed.current) ready.current?.focus({ preventScroll: true });
  }, [isReady]);
  if (isReady) {
    return (
      <p class="ring-ready" role="status" ref={ready} tabIndex={-1} data-testid="ring-ready">
        <Icon name="bell" /> {waiting.soundIsOn}
      </p>
    );
  }
  const ask = () => {
    wasPressed.current = true;
    void attention.askToNotify().then(() => setAsked(true));
  };
  return (
    <button class="button" type="button" data-testid="ring" onClick={ask}>
      <Icon name="bell" /> {waiting.soundOn}
    </button>
  );
}
