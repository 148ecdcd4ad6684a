import { useEffect } from 'preact/hooks';
import { useApp, useReader, useTexts } from '../../app/app-context';
import { dayAndHourText, hourText } from '../../format/time-text';
import type { StateOf } from '../../state/state.types';
import { ProblemNotice } from '../../ui/problem-notice';
import { Screen } from '../../ui/screen';
import { useNow } from '../../ui/use-countdown';
import { useRequest } from '../../ui/use-request';
import { CallbackAddress } from './callback-address';
import { ConnectionNotice } from './connection-notice';
import { LeaveButton } from './leave-button';
import { RingButton } from './ring-button';

/** The customer will get a message, or has got it and must say that they are there. */
export function CallbackScreen({ state: { call } }: { state: StateOf<'callback'> }) {
  const { actions, entry, history, page, store } = useApp();
  const texts = useTexts();
  const { callback, closed } = texts;
  const reader = useReader();
  const { isBusy, problem, run } = useRequest();
  const until = call.callback?.invited_until ?? null;
  const isInvited = call.callback?.status === 'invited';
  const link = store.link.value;
  const opensAt = link ? link.opens_at : history.openingOf(call.id);
  useEffect(() => history.keepOpening(call.id, opensAt), [call.id, opensAt]);
  const isBefore = () => !isInvited && opensAt !== null && Date.parse(opensAt) > Date.now();
  // Rendered again until it opens.
  useNow(isBefore());
  const isClosed = isBefore();
  const act = (action: () => Promise<void>) => () => isBusy || run(action);
  return (
    <Screen
      name="callback"
      icon={isInvited ? 'bell' : 'check'}
      focusKey={isInvited ? 'invited' : 'requested'}
      title={isInvited ? callback.invited : callback.requested}
      lead={isInvited ? callback.invitedText : callback.requestedText}
    >
      {isClosed && opensAt && (
        <p class="statement">{closed.opens(dayAndHourText(opensAt, page.timezone, texts, reader))}</p>
      )}
      <ConnectionNotice isAway={!isInvited} />
      {isInvited && until && (
        <p class="statement">{callback.invitedUntil(hourText(until, page.timezone, reader))}</p>
      )}
      {!isInvited && <CallbackAddress email={call.email} />}
      {!isInvited && <RingButton />}
      <ProblemNotice problem={problem} />
      {isInvited ? (
        <button
          class="button button-primary"
          type="button"
          data-testid="callback-return"
          onClick={act(() => entry.resume())}
        >
          {callback.back}
        </button>
      ) : isClosed ? null : (
        <button
          class="button"
          type="button"
          data-testid="callback-cancel"
          onClick={act(() => actions.cancelCallback())}
        >
          {callback.cancel}
        </button>
      )}
      <LeaveButton />
    </Screen>
  );
}
