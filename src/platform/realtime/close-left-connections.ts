import type { Server, Socket } from 'socket.io';

/**
 * Closes the connection of a client that has disconnected its socket. Socket.IO keeps the connection, so that the client
 * can connect to a namespace again, but a connection without a socket is subject to no limit.
 */
export function closeLeftConnections(server: Server): void {
  server.on('connection', (socket) => socket.on('disconnect', closeIfLeft));
}

/** One function for all sockets, which it gets as `this`. */
function closeIfLeft(this: Socket, reason: string): void {
  if (reason === 'client namespace disconnect') this.conn.close(true);
}
