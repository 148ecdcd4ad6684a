import { useTexts } from '../../app/app-context';
import { Screen } from '../../ui/screen';
import { StartOverButton } from '../start/start-over-button';
import { useLinkEnd } from './use-link-end';

/** The resume link was opened on another device, which has the call now. */
export function OtherDeviceScreen() {
  const { tabs, ended } = useTexts();
  const linkEnd = useLinkEnd();
  return (
    <Screen
      name="other_device"
      icon="screen"
      title={tabs.otherDevice}
      titleTestId="error-title"
      lead={tabs.otherDeviceText}
    >
      {!linkEnd && <StartOverButton label={ended.joinAgain} />}
    </Screen>
  );
}
