import { useTexts } from '../../app/app-context';
import type { OverReason, StateOf } from '../../state/state.types';
import type { IconName } from '../../ui/icon';
import { Screen } from '../../ui/screen';
import { StartOverButton } from '../start/start-over-button';
import { useLinkEnd } from './use-link-end';

const ICONS: Partial<Record<OverReason, IconName>> = {
  left: 'door',
  missed: 'hangUp',
  unanswered: 'person',
  cancelled: 'close',
};

/** The call is over without a conversation: why, and how to join again. */
export function OverScreen({ state: { why } }: { state: StateOf<'over'> }) {
  const { ended } = useTexts();
  const linkEnd = useLinkEnd();
  return (
    <Screen
      name="over"
      icon={ICONS[why] ?? 'clock'}
      title={ended[why]}
      lead={linkEnd ?? ended[`${why}Text`]}
      titleTestId="error-title"
    >
      {!linkEnd && <StartOverButton label={ended.joinAgain} isPrimary />}
    </Screen>
  );
}
