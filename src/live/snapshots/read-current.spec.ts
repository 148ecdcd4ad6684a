import { readCurrent } from './read-current';
import type { LiveSocket } from '../socket.types';

/** A socket to which the events of each reading are sent, one list after another. */
function reading(...events: string[][]) {
  const listeners = new Set<(event: string) => void>();
  const socket = {
    disconnected: false,
    onAnyOutgoing: (listener: (event: string) => void) => listeners.add(listener),
    offAnyOutgoing: (listener: (event: string) => void) => listeners.delete(listener),
  };
  let reads = 0;
  const read = async () => {
    for (const event of events[reads] ?? []) for (const listener of listeners) listener(event);
    return ++reads;
  };
  return { listeners, socket, result: () => readCurrent(socket as unknown as LiveSocket, read) };
}

describe('readCurrent', () => {
  it.each<[string, string[][], number]>([
    ['nothing', [], 1],
    ['messages', [['signal', 'peer_ready', 'chat_message', 'queue_position']], 1],
    ['an event', [['call_updated']], 2],
    ['events during two readings', [['offer'], ['offer_ended', 'presence_changed']], 3],
    ['events during every reading', [['offer'], ['offer'], ['offer'], ['offer']], 3],
  ])('reads again while events are sent: %s', async (_title, events, reads) => {
    const { result, listeners } = reading(...events);
    expect(await result()).toBe(reads);
    expect(listeners.size).toBe(0);
  });

  it('reads once for a socket that has disconnected', async () => {
    const { result, socket } = reading(['offer'], ['offer']);
    socket.disconnected = true;
    expect(await result()).toBe(1);
  });
});
