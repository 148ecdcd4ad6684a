import { useApp, useReader, useTexts } from '../../app/app-context';
import { dayAndHourText } from '../../format/time-text';
import type { StateOf } from '../../state/state.types';
import { Screen } from '../../ui/screen';
import { StartOverButton } from './start-over-button';

/** The department is closed: when it opens next. */
export function ClosedScreen({ state }: { state: StateOf<'closed'> }) {
  const { page, store } = useApp();
  const texts = useTexts();
  const reader = useReader();
  const { closed } = texts;
  const opens = state.opensAt && dayAndHourText(state.opensAt, page.timezone, texts, reader);
  return (
    <Screen
      name="closed"
      icon="clock"
      title={closed.title}
      lead={store.link.value?.department_name}
      titleTestId="error-title"
    >
      <p class="statement">{opens ? closed.opens(opens) : closed.never}</p>
      {opens && <p>{closed.text}</p>}
      <StartOverButton label={closed.checkAgain} />
    </Screen>
  );
}
