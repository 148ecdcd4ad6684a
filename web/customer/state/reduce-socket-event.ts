import { agentFacts, callOf, deviceTime, saidWait, withCall } from './call-facts';
import { atService, stateByStatus } from './by-status';
import type { SocketEvents } from './server.types';
import type { CallFacts, Moment, PageEvent, State } from './state.types';

type SocketEvent = Extract<PageEvent, { type: 'socket' }>;

/** The next state after an event of the socket. Events that are older than the known state are ignored. */
export function reduceSocketEvent(state: State, event: SocketEvent, moment: Moment): State {
  const before = callOf(state);
  const { payload } = event;
  const version = versionOf(event, before);
  if (before?.id !== payload.call_id || version < before.version) return state;
  const call = { ...before, version };
  switch (event.name) {
    case 'queue_position':
      return isQueued(state) ? { ...state, call: atPlace(call, event.payload) } : state;
    case 'queue_closing':
      return withCall(state, () => ({
        ...call,
        closesAt: event.payload.closes_at,
        callbackEnabled: event.payload.callback_enabled,
      }));
    case 'callback_changed':
      return callbackChanged(state, call, event.payload, moment);
    case 'call_assigned':
      return stateByStatus(
        state,
        { status: 'assigned', call: { ...call, ...agentFacts(event.payload.agent) } },
        moment,
      );
    case 'call_requeued':
      return stateByStatus(
        state,
        { status: 'queued', call: { ...atPlace(call, event.payload), ...agentFacts(null) } },
        moment,
      );
    case 'call_started':
      return stateByStatus(
        state,
        {
          status: 'active',
          call: { ...call, startedAt: deviceTime(event.payload.started_at, payload.at, moment.now) },
        },
        moment,
      );
    case 'call_transferred':
      return transferred(state, call, event.payload, moment);
    case 'call_ended': {
      const { status, end_reason } = event.payload;
      return stateByStatus(state, { status, call, end_reason }, atService(moment, payload));
    }
    case 'peer_disconnected':
      return peerDisconnected(state, call, event.payload, moment.now);
    case 'peer_reconnected':
      return peerReconnected(state, call, event.payload);
    default: {
      const { recording, consent } = event.payload;
      return withCall(state, () => ({ ...call, recording: { recording, consent } }));
    }
  }
}

/** Messages are no change of the call: they count whatever version they carry. */
const versionOf = ({ name, payload }: SocketEvent, before: CallFacts | null): number =>
  name === 'queue_closing' || name === 'recording_state' ? (before?.version ?? 0) : payload.version;

const isQueued = (state: State) => state.screen === 'waiting' || state.screen === 'callback';

function atPlace(call: CallFacts, place: Partial<SocketEvents['queue_position']>): CallFacts {
  const {
    position = call.position,
    estimated_wait_time,
    estimated_wait_range = null,
    ringing = false,
  } = place;
  const wait =
    estimated_wait_time === undefined
      ? call.wait
      : saidWait({ ...place, estimated_wait_time, estimated_wait_range });
  return { ...call, position, wait, ringing };
}

function callbackChanged(
  state: State,
  call: CallFacts,
  { status, invited_until }: SocketEvents['callback_changed'],
  moment: Moment,
): State {
  const changed = { ...call, callback: { status, invited_until } };
  if (!isQueued(state)) return withCall(state, () => changed);
  return stateByStatus(state, { status: 'queued', call: changed }, moment);
}

function transferred(
  state: State,
  call: CallFacts,
  payload: SocketEvents['call_transferred'],
  moment: Moment,
): State {
  if (payload.agent) {
    const changed = { ...call, ...agentFacts(payload.agent), recording: null };
    return { screen: 'in_call', call: changed, peerLost: null, isNewAgent: true };
  }
  const changed = {
    ...atPlace(call, payload),
    ...agentFacts(null),
    recording: null,
    closesAt: null,
    department: payload.department_name ?? call.department,
  };
  return stateByStatus(state, { status: 'queued', call: changed }, moment);
}

/** The deadline is in the service's time, which this device's clock may not have: only the time left counts. */
function peerDisconnected(
  state: State,
  call: CallFacts,
  { participant, deadline, at }: SocketEvents['peer_disconnected'],
  now: number,
): State {
  if (state.screen !== 'in_call') return state;
  if (participant === 'customer') return { ...state, call };
  return { ...state, call, peerLost: { until: deviceTime(deadline, at, now), isAgent: true } };
}

function peerReconnected(
  state: State,
  call: CallFacts,
  { participant }: SocketEvents['peer_reconnected'],
): State {
  if (state.screen !== 'in_call') return state;
  const isOver = participant === 'agent' || state.peerLost?.isAgent === false;
  return { ...state, call, peerLost: isOver ? null : state.peerLost };
}
