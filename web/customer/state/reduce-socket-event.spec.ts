import type { SocketEventName, SocketEvents } from './server.types';
import { call, called, inCall, moment, NOW, waiting } from './state.fixtures';
import type { PageEvent, State } from './state.types';
import { reduce } from './reduce';

const at = new Date(NOW).toISOString();

function event<Name extends SocketEventName>(name: Name, payload: Partial<SocketEvents[Name]>): PageEvent {
  return { type: 'socket', name, payload: { call_id: 'call-1', at, version: 2, ...payload } } as PageEvent;
}

const apply = (state: State, of: PageEvent) => reduce(state, of, moment());
const RATING: State = { screen: 'rating', call: call(), wasLost: false, problem: null };

describe('events of the socket', () => {
  it.each<[name: string, before: State, event: PageEvent, after: object]>([
    [
      'a better place',
      waiting(),
      event('queue_position', {
        position: 1,
        estimated_wait_time: 60,
        estimated_wait_range: null,
        version: 1,
      }),
      { screen: 'waiting', call: { position: 1, wait: { estimate: 60, range: null }, ringing: false } },
    ],
    [
      'that no agent is reachable, so that nothing can be said of the wait',
      waiting(),
      event('queue_position', {
        position: 1,
        estimated_wait_time: 180,
        estimated_wait_range: null,
        has_estimate: false,
        version: 1,
      }),
      { screen: 'waiting', call: { position: 1, wait: null } },
    ],
    [
      'an agent who is being called',
      waiting(),
      event('queue_position', { position: 1, ringing: true, version: 1 }),
      { screen: 'waiting', call: { ringing: true } },
    ],
    [
      'an agent who did not answer',
      waiting({ ringing: true }),
      event('queue_position', { position: 1, ringing: false, version: 1 }),
      { screen: 'waiting', call: { ringing: false } },
    ],
    [
      'an agent takes the call',
      waiting(),
      event('call_assigned', { agent: { name: 'Ana' } }),
      { screen: 'called', call: { agent: 'Ana', version: 2 } },
    ],
    [
      'the agent does not come',
      called(),
      event('call_requeued', { position: 1, estimated_wait_range: null }),
      { screen: 'waiting', since: 'unanswered', call: { position: 1, agent: null } },
    ],
    [
      'the call begins',
      called(),
      event('call_started', { started_at: at }),
      { screen: 'in_call', call: { startedAt: NOW } },
    ],
    [
      'another agent',
      inCall(),
      event('call_transferred', { agent: { name: 'Bruno' } }),
      { screen: 'in_call', isNewAgent: true, call: { agent: 'Bruno' } },
    ],
    [
      'another department',
      inCall(),
      event('call_transferred', { department_name: 'Sales', position: 2, estimated_wait_range: null }),
      { screen: 'waiting', since: 'transfer', call: { department: 'Sales', position: 2, agent: null } },
    ],
    [
      'the end',
      inCall(),
      event('call_ended', { status: 'completed', end_reason: 'normal' }),
      { screen: 'rating', wasLost: false },
    ],
    [
      'the end by a lost connection',
      inCall(),
      event('call_ended', { status: 'completed', end_reason: 'disconnect' }),
      { screen: 'rating', wasLost: true },
    ],
    [
      'the department announces that it closes',
      waiting({ callbackEnabled: false }),
      event('queue_closing', { closes_at: at, callback_enabled: true }),
      { screen: 'waiting', call: { closesAt: at, callbackEnabled: true } },
    ],
    [
      'the invitation',
      { screen: 'callback', call: call({ callback: { status: 'requested', invited_until: null } }) },
      event('callback_changed', { status: 'invited', invited_until: at }),
      { screen: 'callback', call: { callback: { status: 'invited' } } },
    ],
    [
      'the customer is back',
      { screen: 'callback', call: call({ callback: { status: 'invited', invited_until: at } }) },
      event('callback_changed', { status: 'returned', invited_until: null }),
      { screen: 'waiting' },
    ],
    [
      'the agent wants to record',
      inCall(),
      event('recording_state', { recording: 'requested', consent: null }),
      { screen: 'in_call', call: { recording: { recording: 'requested', consent: null } } },
    ],
  ])('%s', (_name, before, of, after) => {
    expect(apply(before, of)).toMatchObject(after);
  });

  it('ignores what is older than the known state', () => {
    const state = waiting({ version: 5 });
    expect(apply(state, event('call_assigned', { agent: { name: 'Ana' }, version: 4 }))).toBe(state);
  });

  it('ignores other calls', () => {
    const state = waiting();
    expect(apply(state, event('call_started', { call_id: 'call-2' }))).toBe(state);
  });

  it('ends the wish to record with a transfer: the next agent asks again', () => {
    const state = inCall({ call: call({ recording: { recording: 'on', consent: true } }) });
    expect(apply(state, event('call_transferred', { agent: { name: 'Bruno' } }))).toMatchObject({
      call: { recording: null },
    });
  });

  it('shows no place to a customer who rates', () => {
    expect(apply(RATING, event('queue_position', { position: 9 }))).toBe(RATING);
  });
});

it('counts the duration in the time of the device, whatever its clock says', () => {
  const later = new Date(NOW + 3_600_000).toISOString();
  const started = event('call_started', { started_at: later, at: later });
  expect(apply(called(), started)).toMatchObject({ call: { startedAt: NOW } });
});

it('compares the closing time with the time of the service', () => {
  const closesAt = new Date(NOW + 3_600_000).toISOString();
  const ended = event('call_ended', { status: 'abandoned', end_reason: 'abandoned', at: closesAt });
  expect(apply(waiting({ closesAt }), ended)).toEqual({ screen: 'over', why: 'closed' });
});

describe('the 60 seconds', () => {
  const deadline = new Date(NOW + 3_600_000 + 60_000).toISOString();
  /** The clock of the device is an hour slow. */
  const sentAt = new Date(NOW + 3_600_000).toISOString();
  const lost = event('peer_disconnected', { participant: 'agent', deadline, at: sentAt });

  it('counts by the time of the service, whatever the clock of the device says', () => {
    expect(apply(inCall(), lost)).toMatchObject({ peerLost: { until: NOW + 60_000, isAgent: true } });
  });

  it('shows nothing for the other page of the customer', () => {
    const own = event('peer_disconnected', { participant: 'customer', deadline, at: sentAt });
    expect(apply(inCall(), own)).toMatchObject({ peerLost: null });
  });

  it('ends when the agent is back', () => {
    const back = event('peer_reconnected', { participant: 'agent', version: 3 });
    expect(apply(apply(inCall(), lost), back)).toMatchObject({ peerLost: null });
  });

  it("does not end with the customer's return, unless it may have been theirs", () => {
    const back = event('peer_reconnected', { participant: 'customer', version: 3 });
    expect(apply(apply(inCall(), lost), back)).toMatchObject({ peerLost: { isAgent: true } });
    const unsure = inCall({ peerLost: { until: NOW + 60_000, isAgent: false } });
    expect(apply(unsure, back)).toMatchObject({ peerLost: null });
  });
});
