import { openSocket } from './socket-client';
import type { CustomerSocket, SocketOptions, StaffSocket } from './socket-types';

export type * from './socket-events';
export type * from './socket-models';
export type * from './socket-requests';
export type * from './socket-types';
export { SocketError } from './socket-error';

/** The socket of a customer. */
export function connectSocket(options: SocketOptions): CustomerSocket {
  return openSocket(options);
}

/** The socket of an agent. */
export function connectStaffSocket(options: SocketOptions): StaffSocket {
  return openSocket(options);
}

/** Identifies this load of the page among those of the same person. */
export function newSession(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
