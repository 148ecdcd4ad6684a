import { useApp, useTexts } from '../../app/app-context';
import { Screen } from '../../ui/screen';

/** Another tab of this browser holds the call. */
export function TakeOverScreen() {
  const { claim } = useApp();
  const { tabs } = useTexts();
  return (
    <Screen name="take_over" icon="screen" title={tabs.title} lead={tabs.text}>
      <button
        class="button button-primary"
        type="button"
        data-testid="take-over"
        onClick={() => claim.take()}
      >
        {tabs.takeOver}
      </button>
    </Screen>
  );
}
