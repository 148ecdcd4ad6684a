import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { CallView } from './call/call-view';
import { ConsoleState } from './console-state';
import { OfferCard } from './queue/offer-card';
import { PresenceSwitch } from './queue/presence-switch';
import { QueueList } from './queue/queue-list';
import { WrapUp } from './queue/wrap-up';
import { LoginForm } from './session/login-form';
import type { StaffSession } from './session/staff-session';
import { texts } from './texts/language';
import { LanguageSelect } from './texts/language-select';
import { attempt, problem } from './ui/errors';

/** The login, or the console of the logged-in agent. */
export function App({ session }: { session: StaffSession }) {
  const state = useSignal<ConsoleState | null>(null);
  const userId = session.user.value?.id;
  useEffect(() => {
    const current = userId === undefined ? null : new ConsoleState(session, userId);
    state.value = current;
    return () => {
      state.value = null;
      current?.close();
    };
  }, [session, userId, state]);
  return (
    <>
      <header class="bar">
        <h1>{texts.value.title}</h1>
        <LanguageSelect />
        {state.value && <Account session={session} state={state.value} />}
      </header>
      <main>
        <p class="problem" role="alert">
          {problem.value}
        </p>
        {state.value ? <Workplace state={state.value} /> : <LoginForm session={session} />}
      </main>
    </>
  );
}

function Account({ session, state }: { session: StaffSession; state: ConsoleState }) {
  return (
    <>
      <PresenceSwitch queue={state.queue} />
      <span class="user">{session.user.value?.name}</span>
      <button type="button" onClick={() => attempt(() => session.logOut())}>
        {texts.value.logOut}
      </button>
    </>
  );
}

function Workplace({ state }: { state: ConsoleState }) {
  const call = state.call.value;
  return (
    <>
      <p class="connection" role="status">
        {!state.isConnected.value && texts.value.connection.lost}
      </p>
      {state.queue.offers.value.map((offer) => (
        <OfferCard key={offer.offer.id} offer={offer} state={state} />
      ))}
      {call && <CallView key={call.id} call={call} state={state} />}
      <WrapUp state={state} />
      <QueueList state={state} />
    </>
  );
}
