import { useTexts } from '../../app/app-context';
import type { StateOf } from '../../state/state.types';
import { Screen } from '../../ui/screen';
import { RetryNotice } from './retry-notice';

/** After a reload, until the service has said what has become of the call. */
export function ResumingScreen({ state }: { state: StateOf<'resuming'> }) {
  const { resuming } = useTexts();
  return (
    <Screen name="resuming" title={resuming.title} lead={resuming.text}>
      <RetryNotice retry={state.retry} stopLabel={resuming.stop} />
    </Screen>
  );
}
