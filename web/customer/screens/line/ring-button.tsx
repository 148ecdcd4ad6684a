import { useState } from 'preact/hooks';
import { useApp, useTexts } from '../../app/app-context';
import { Icon } from '../../ui/icon';

const canAsk = () => 'Notification' in globalThis && Notification.permission === 'default';

/** Lets the page ring and notify: browsers want a tap for both. */
export function RingButton() {
  const { attention } = useApp();
  const { waiting } = useTexts();
  const [hasAsked, setAsked] = useState(false);
  const isReady = attention.canRing.value && (hasAsked || !canAsk());
  if (isReady) {
    return (
      <p class="ring-ready" role="status">
        <Icon name="bell" /> {waiting.soundIsOn}
      </p>
    );
  }
  const ask = () => void attention.askToNotify().then(() => setAsked(true));
  return (
    <button class="button" type="button" onClick={ask}>
      <Icon name="bell" /> {waiting.soundOn}
    </button>
  );
}
