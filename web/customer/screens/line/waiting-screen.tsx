import { useApp, useReader, useTexts } from '../../app/app-context';
import { hourText } from '../../format/time-text';
import { durationText } from '../../../shared/texts/wait/wait-text';
import type { StateOf } from '../../state/state.types';
import { Notice } from '../../ui/notice';
import { Screen } from '../../ui/screen';
import { CallbackOffer } from './callback-offer';
import { ConnectionNotice } from './connection-notice';
import { DeviceCheckCard } from './device-check-card';
import { LeaveButton } from './leave-button';
import { PlaceCard } from './place-card';
import { RingButton } from './ring-button';

/** In the line: the place, the wait, and what the customer can do meanwhile. */
export function WaitingScreen({ state: { call, since } }: { state: StateOf<'waiting'> }) {
  const { page, language } = useApp();
  const texts = useTexts();
  const reader = useReader();
  const { waiting } = texts;
  const minutes = Math.floor(page.absence_seconds / 60);
  const kept = minutes < 1 ? texts.range.underMinute : durationText(minutes, texts.range, language.value);
  return (
    <Screen
      name="waiting"
      title={call.position === 1 ? waiting.next : waiting.title}
      lead={call.department ?? undefined}
    >
      <ConnectionNotice />
      {since === 'unanswered' && <Notice role="status">{waiting.unanswered}</Notice>}
      {since === 'transfer' && (
        <Notice role="status">{waiting.transferred(call.department ?? page.company?.name ?? '')}</Notice>
      )}
      {call.closesAt && (
        <Notice tone="warning" icon="clock" role="alert">
          <p>{waiting.closing(hourText(call.closesAt, page.timezone, reader))}</p>
          {call.callbackEnabled && <p>{waiting.closingCallback}</p>}
        </Notice>
      )}
      <PlaceCard call={call} />
      <p class="reassurance">
        <strong>{waiting.stay}</strong> {waiting.mayLeave(kept)}
      </p>
      <RingButton />
      <DeviceCheckCard />
      {call.callbackEnabled && <CallbackOffer call={call} />}
      <LeaveButton />
    </Screen>
  );
}
