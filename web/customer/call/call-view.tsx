import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useApp } from '../app/app-context';
import type { StateOf } from '../state/state.types';
import './call.css';
import { CalledView } from './called-view';
import { CallRuntime } from './call-runtime';
import { InCallScreen } from './in-call-screen';

/** Comes after the call, and with it: a network that is lost during the call does not matter. */
export { RatingScreen } from '../screens/end/rating-screen';

/** The call from the moment at which an agent has taken it: the connection is made while the agent is coming. */
export function CallView({ state }: { state: StateOf<'called'> | StateOf<'in_call'> }) {
  const { live, api, history } = useApp();
  const callId = state.call.id;
  const runtime = useMemo(
    () =>
      new CallRuntime({
        live,
        callId,
        iceServers: () => api.iceServers(),
        devices: {
          read: () => history.devicesOf(callId),
          keep: (devices) => history.keepDevices(callId, devices),
        },
        isReady: history.isReadyFor(callId),
        onReady: () => history.keepReady(callId),
      }),
    [callId],
  );
  useEffect(() => {
    void runtime.start();
    return () => runtime.close();
  }, [runtime]);
  const agent = useRef(state.call.agent);
  useEffect(() => {
    if (agent.current !== state.call.agent && state.screen === 'in_call') runtime.changeAgent();
    agent.current = state.call.agent;
  }, [runtime, state.call.agent, state.screen]);
  return state.screen === 'called' ? (
    <CalledView state={state} runtime={runtime} />
  ) : (
    <InCallScreen state={state} runtime={runtime} />
  );
}
