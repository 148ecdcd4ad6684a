import type { LiveSocket } from '../socket.types';

const MAX_READS = 3;

/** Events that tell nothing of a state which a client receives. */
const MESSAGES = new Set(['signal', 'renegotiate', 'peer_ready', 'media_state', 'alert']);

/** They come often in a large company: a state that they overtake twice is sent, unless they are about the user. */
const FREQUENT = new Set(['queue_updated', 'presence_changed']);

interface Payload {
  call_id?: string;
  user_id?: string;
}

export interface Reading<State> {
  state: State;
  /** When it began, of performance.now. */
  readMs: number;
}

/**
 * Reads a state for sockets of one owner, and again if an event was sent to one of them meanwhile. The state may have been read before the change
 * that the event announced, and the client would go back to it: a call that was answered would wait again, and a ringing
 * offer would be gone. Send it without awaiting anything else.
 * @param read the state as it is sent
 * @param callId counts only the events of this call, for a state of the call alone
 * @returns the third reading even if an event was sent during each of them
 */
export async function readCurrent<State>(
  sockets: readonly LiveSocket[],
  read: () => Promise<Reading<State>>,
  callId?: string,
): Promise<Reading<State>> {
  let latestMs = Number.NEGATIVE_INFINITY;
  let latestRareMs = Number.NEGATIVE_INFINITY;
  const userId = userOf(sockets[0]);
  const note = (event: string, payload: Payload = {}) => {
    if (MESSAGES.has(event) || (callId !== undefined && payload.call_id !== callId)) return;
    latestMs = performance.now();
    const isOwn = userId !== undefined && payload.user_id === userId;
    if (!FREQUENT.has(event) || isOwn) latestRareMs = latestMs;
  };
  for (const socket of sockets) socket.onAnyOutgoing(note);
  try {
    for (let reads = 1; ; reads++) {
      const reading = await read();
      const overtakenMs = reads === 1 ? latestMs : latestRareMs;
      const isNeeded = sockets.some(({ disconnected }) => !disconnected);
      if (overtakenMs < reading.readMs || reads === MAX_READS || !isNeeded) return reading;
    }
  } finally {
    for (const socket of sockets) socket.offAnyOutgoing(note);
  }
}

const userOf = (socket: LiveSocket | undefined) =>
  socket?.data.kind === 'staff' ? socket.data.user.user_id : undefined;
