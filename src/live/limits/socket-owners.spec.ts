import { fake } from '../../../test/support/fake';
import type { Config } from '../../platform/config/config';
import type { LiveSocket } from '../socket.types';
import { SocketOwners } from './socket-owners';

const socketOf = (call_id: string) => fake<LiveSocket>({ data: { kind: 'customer', customer: { call_id } } });

let owners: SocketOwners;
beforeEach(() => {
  jest.useFakeTimers();
  owners = new SocketOwners({ socketRateLimit: 50 } as Config);
});
afterEach(() => jest.useRealTimers());

function openSocket(callId: string): LiveSocket {
  const socket = socketOf(callId);
  owners.register(socket);
  return socket;
}

/** @returns how many of so many refused events were forgiven */
const forgiven = (socket: LiveSocket, events: number) =>
  Array.from({ length: events }, () => owners.admitRefusal(socket, 1)).filter(Boolean).length;

describe('SocketOwners', () => {
  it('forgives 200 refused events of a call at once, and five a second after that', () => {
    const socket = openSocket('a');
    expect(forgiven(socket, 250)).toBe(200);
    jest.advanceTimersByTime(2000);
    expect(forgiven(socket, 50)).toBe(10);
  });

  it('forgives a socket 20 of its own after that, but not one that was opened later', () => {
    const socket = openSocket('a');
    const bucket = owners.forgivenessOf(socket);
    expect(Array.from({ length: 21 }, () => bucket?.take()).filter(Boolean)).toHaveLength(20);
    forgiven(socket, 200);
    expect(owners.forgivenessOf(openSocket('a'))).toBeUndefined();
    expect(owners.forgivenessOf(openSocket('b'))).toBeDefined();
  });

  it('does not forgive more of them with another socket, also long after the first one was closed', () => {
    const first = openSocket('a');
    expect(forgiven(first, 200)).toBe(200);
    expect(forgiven(openSocket('a'), 1)).toBe(0);
    expect(forgiven(openSocket('b'), 1)).toBe(1);
    owners.release(first);
    jest.advanceTimersByTime(20_000);
    expect(forgiven(openSocket('a'), 200)).toBe(100);
  });
});
