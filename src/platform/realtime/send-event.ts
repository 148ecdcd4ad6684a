import type { Socket } from 'socket.io';

/** The type of Socket.IO packets with events. */
const EVENT = '2';

/** Values without binary data. */
type PlainValue = string | number | boolean | object | null;

/**
 * As `socket.emit` for an event of plain values without acknowledgement, which is sent to thousands of sockets, each with
 * a payload of its own: Socket.IO searches a payload for binary data and passes it through several layers, which takes
 * about as long as the rest.
 */
export function sendEvent(socket: Socket, name: string, payload: Record<string, PlainValue>): void {
  if (socket.connected) socket.conn.write(EVENT + JSON.stringify([name, payload]));
}
