import { useTexts } from '../../app/app-context';
import { Screen } from '../../ui/screen';
import { StartOverButton } from './start-over-button';

/** The line has as many customers as the department allows. */
export function FullScreen() {
  const { full, tryAgain } = useTexts();
  return (
    <Screen name="full" icon="person" title={full.title} lead={full.text} titleTestId="error-title">
      <StartOverButton label={tryAgain} isPrimary />
    </Screen>
  );
}
