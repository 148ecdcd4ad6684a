import { useTexts } from '../../app/app-context';
import type { StateOf } from '../../state/state.types';
import { Screen } from '../../ui/screen';

/** The last screen. */
export function ThanksScreen({ state: { after } }: { state: StateOf<'thanks'> }) {
  const { rating } = useTexts();
  const isRated = after === 'rated';
  return (
    <Screen
      name="thanks"
      icon="check"
      title={isRated ? rating.thanks : rating.goodbye}
      titleTestId={isRated ? 'rating-thanks' : undefined}
    >
      {after === 'forgotten' && <p>{rating.forgotten}</p>}
      <p>{isRated ? rating.thanksText : rating.goodbyeText}</p>
    </Screen>
  );
}
