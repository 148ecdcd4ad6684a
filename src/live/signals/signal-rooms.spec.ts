import { hasSignalSocket, signalRoomOf, takesPart } from './signal-rooms';

const call = (changes: object) => ({
  holder_session: null,
  agent_socket: null,
  user_id: 'ana',
  customer_session: null,
  has_agent_socket: false,
  ...changes,
});

describe('signalRoomOf', () => {
  it.each([
    ['customer', 'all pages until one has taken the call over', {}, 'call:7:customer'],
    ['customer', 'the page that holds the call', { holder_session: 'page-2' }, 'holder:7:page-2'],
    ['agent', 'all sockets of an agent until one has joined', {}, 'user:ana'],
    ['agent', 'the socket that joined last', { agent_socket: 'newest' }, 'newest'],
    ['agent', 'nobody without an agent', { user_id: null }, 'call:7:agent'],
  ] as const)('of the %s is that of %s', (side, _title, changes, room) =>
    expect(signalRoomOf(side, '7', call(changes))).toBe(room),
  );
});

describe('hasSignalSocket', () => {
  it.each([
    ['customer', {}, false],
    ['customer', { has_agent_socket: true, agent_socket: 'newest' }, false],
    ['customer', { customer_session: 'page' }, true],
    ['agent', { customer_session: 'page' }, false],
    ['agent', { has_agent_socket: true }, true],
  ] as const)('of the %s with %j is %s', (side, changes, expected) =>
    expect(hasSignalSocket(side, call(changes))).toBe(expected),
  );
});

describe('takesPart', () => {
  it.each([
    [null, 'page', true],
    ['page', 'page', true],
    ['other', 'page', false],
    ['', 'page', false],
  ])('of a call that %j holds, the page %j: %s', (holder, session, expected) =>
    expect(takesPart(holder, session)).toBe(expected),
  );
});
