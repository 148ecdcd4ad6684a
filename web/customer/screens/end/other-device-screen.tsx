import { useTexts } from '../../app/app-context';
import { Screen } from '../../ui/screen';
import { StartOverButton } from '../start/start-over-button';

/** The resume link was opened on another device, which has the call now. */
export function OtherDeviceScreen() {
  const { tabs, ended } = useTexts();
  return (
    <Screen
      name="other_device"
      icon="screen"
      title={tabs.otherDevice}
      titleTestId="error-title"
      lead={tabs.otherDeviceText}
    >
      <StartOverButton label={ended.joinAgain} />
    </Screen>
  );
}
