import { useTexts } from '../../app/app-context';
import type { StateOf } from '../../state/state.types';
import { Screen } from '../../ui/screen';
import { StartOverButton } from '../start/start-over-button';

/** The call is over without a conversation: why, and how to join again. */
export function OverScreen({ state: { why } }: { state: StateOf<'over'> }) {
  const { ended } = useTexts();
  return (
    <Screen name="over" title={ended[why]} lead={ended[`${why}Text`]} titleTestId="error-title">
      <StartOverButton label={ended.joinAgain} isPrimary />
    </Screen>
  );
}
