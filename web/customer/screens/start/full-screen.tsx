import { useApp, useTexts } from '../../app/app-context';
import { Screen } from '../../ui/screen';
import { StartOverButton } from './start-over-button';

/** The line has as many customers as the department allows. */
export function FullScreen() {
  const { entry } = useApp();
  const { full, tryAgain } = useTexts();
  return (
    <Screen name="full" icon="person" title={full.title} lead={full.text} titleTestId="error-title">
      <StartOverButton label={tryAgain} isPrimary attempt={(attempts) => entry.joinAgain(attempts)} />
    </Screen>
  );
}
