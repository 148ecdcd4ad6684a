import type { LiveSocket } from '../socket.types';

const MAX_READS = 3;

/** Events that replace nothing of a state which a client receives: messages, and a position, which has its own order. */
const MESSAGES = new Set([
  'snapshot',
  'queue_position',
  'signal',
  'renegotiate',
  'peer_ready',
  'media_state',
  'chat_message',
]);

/**
 * Reads a state for the socket, and once more if an event was sent to it meanwhile. The state may have been read before the
 * change that the event told, and the client would go back to it: a call that was answered would wait again, and an offer
 * that rings would be gone. Send it without awaiting anything else.
 * @param read the state as it is sent
 * @returns the state; after three readings also if an event was sent during each of them
 */
export async function readCurrent<State>(socket: LiveSocket, read: () => Promise<State>): Promise<State> {
  let events = 0;
  const count = (event: string) => {
    if (!MESSAGES.has(event)) events++;
  };
  socket.onAnyOutgoing(count);
  try {
    for (let reads = 1; ; reads++) {
      const before = events;
      const state = await read();
      if (events === before || reads === MAX_READS || socket.disconnected) return state;
    }
  } finally {
    socket.offAnyOutgoing(count);
  }
}
