import type { Call } from '../../calls/call.entity';
import type { CallEvent, Participant } from '../../calls/call.events';
import type { LiveSocket } from '../socket.types';

/** The fields of every message about a call. */
export const eventHead = ({ call_id, occurred_at, version }: CallEvent) => ({
  call_id,
  at: occurred_at,
  version,
});

/** Sends peer_reconnected to the socket that ended the grace period: it had not joined its rooms at the broadcast. */
export function announceReconnection(socket: LiveSocket, call: Call, participant: Participant): void {
  const { id: call_id, version, reconnected_at } = call;
  const at = reconnected_at?.toISOString();
  socket.emit('peer_reconnected', { call_id, at, version, participant, reconnected_at: at });
}

/**
 * Disconnects the socket of a customer who continues the call on another device. The client must not reconnect by itself.
 * @param at ISO 8601
 */
export function disconnectTakenOver(socket: LiveSocket, at: string): void {
  if (socket.data.kind !== 'customer') return;
  socket.emit('taken_over', { call_id: socket.data.customer.call_id, at });
  socket.disconnect(true);
}
