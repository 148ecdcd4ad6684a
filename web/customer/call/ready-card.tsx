import { useCallTexts } from '../app/app-context';
import type { CallRuntime } from './call-runtime';

/** Asks before camera and microphone are used: the agent can come at a moment when the customer does not expect it. */
export function ReadyCard({ runtime }: { runtime: CallRuntime }) {
  const { ready } = useCallTexts();
  const start = (event: Event) => {
    // This card, and the focus in it, will be gone.
    if (event.currentTarget instanceof Element) {
      event.currentTarget.closest('main')?.querySelector('h1')?.focus();
    }
    runtime.ready();
  };
  return (
    <section class="permission card" role="status">
      <p>{ready.text}</p>
      <button class="button button-primary" type="button" data-testid="ready" onClick={start}>
        {ready.button}
      </button>
    </section>
  );
}
