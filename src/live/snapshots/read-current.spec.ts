import { fake } from '../../../test/support/fake';
import type { LiveSocket } from '../socket.types';
import { readCurrent } from './read-current';

type Sent = string | [event: string, callId: string, userId?: string];

/** A socket to which the events of each reading are sent, one list after another. */
function reading(...events: Sent[][]) {
  const listeners = new Set<(event: string, payload?: object) => void>();
  const socket = {
    disconnected: false,
    data: { kind: 'staff', user: { user_id: 'self' } },
    onAnyOutgoing: (listener: () => void) => listeners.add(listener),
    offAnyOutgoing: (listener: () => void) => listeners.delete(listener),
  };
  let reads = 0;
  const read = async () => {
    const readMs = performance.now();
    for (const sent of events[reads] ?? []) {
      const [event, call_id, user_id] = typeof sent === 'string' ? [sent] : sent;
      for (const listener of listeners) listener(event, { call_id, user_id });
    }
    return { state: ++reads, readMs };
  };
  const result = (callId?: string) => readCurrent([fake<LiveSocket>(socket)], read, callId);
  return { listeners, socket, result };
}

describe('readCurrent', () => {
  it.each<[string, Sent[][], number]>([
    ['nothing', [], 1],
    ['messages', [['signal', 'peer_ready', 'media_state', 'renegotiate', 'alert']], 1],
    ['an event', [['call_updated']], 2],
    ['a chat message', [['chat_message']], 2],
    ['a newer snapshot', [['snapshot']], 2],
    ['events during two readings', [['offer'], ['offer_ended']], 3],
    ['events during every reading', [['offer'], ['offer'], ['offer'], ['offer']], 3],
    ['frequent events during every reading', [['queue_updated'], ['presence_changed'], ['queue_updated']], 2],
    [
      'frequent events about the user',
      [['queue_updated'], [['presence_changed', '', 'other']], [['presence_changed', '', 'self']]],
      2,
    ],
    ['a frequent event, then one about the user', [['queue_updated'], [['presence_changed', '', 'self']]], 3],
    ['a frequent and a rare event', [['queue_updated'], ['presence_changed', 'offer']], 3],
  ])('reads again while events are sent: %s', async (_title, events, reads) => {
    const { result, listeners } = reading(...events);
    expect((await result()).state).toBe(reads);
    expect(listeners.size).toBe(0);
  });

  it('ignores the events of other calls for the state of one', async () => {
    const { result } = reading([['call_updated', 'other'], 'queue_updated']);
    expect((await result('own')).state).toBe(1);
    const overtaken = reading([['call_updated', 'own']]);
    expect((await overtaken.result('own')).state).toBe(2);
  });

  it('ignores the events before the reading has begun', async () => {
    const { socket, listeners } = reading();
    const read = async () => {
      for (const listener of listeners) listener('offer');
      // It waited for its turn until now.
      return { state: 'first', readMs: performance.now() + 1 };
    };
    expect((await readCurrent([fake<LiveSocket>(socket)], read)).state).toBe('first');
  });

  it('reads again as long as one of several sockets is open', async () => {
    const [closed, open] = [reading(), reading()];
    closed.socket.disconnected = true;
    let reads = 0;
    const read = async () => {
      const readMs = performance.now();
      if (++reads === 1) for (const listener of open.listeners) listener('offer');
      return { state: reads, readMs };
    };
    const sockets = [closed.socket, open.socket].map((socket) => fake<LiveSocket>(socket));
    expect((await readCurrent(sockets, read)).state).toBe(2);
  });

  it('reads once for a socket that has disconnected', async () => {
    const { result, socket } = reading(['offer'], ['offer']);
    socket.disconnected = true;
    expect((await result()).state).toBe(1);
  });
});
