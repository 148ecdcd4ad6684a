import { useApp, useReader, useTexts } from '../../app/app-context';
import { dayAndHourText } from '../../format/time-text';
import type { StateOf } from '../../state/state.types';
import { Screen } from '../../ui/screen';
import { ClosedCallback } from './closed-callback';
import { StartOverButton } from './start-over-button';

/** The department is closed: when it opens next, what it says meanwhile, and a callback if it has them. */
export function ClosedScreen({ state }: { state: StateOf<'closed'> }) {
  const { page, store } = useApp();
  const texts = useTexts();
  const reader = useReader();
  const { closed } = texts;
  const opens = state.opensAt && dayAndHourText(state.opensAt, page.timezone, texts, reader);
  const link = store.link.value;
  const hasCallback = link?.callback_enabled && opens;
  return (
    <Screen
      name="closed"
      icon="clock"
      title={closed.title}
      lead={link?.department_name}
      titleTestId="error-title"
    >
      <p class="statement">{opens ? closed.opens(opens) : closed.never}</p>
      {link?.closed_message && (
        <p class="own-words" data-testid="closed-message">
          {link.closed_message}
        </p>
      )}
      {hasCallback && <ClosedCallback />}
      {opens && !hasCallback && <p>{closed.text}</p>}
      <StartOverButton label={closed.checkAgain} />
    </Screen>
  );
}
