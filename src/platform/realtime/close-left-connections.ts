import type { Server } from 'socket.io';

/**
 * Closes the connection of a client that has disconnected its socket. Socket.IO keeps the connection, so that the client
 * can connect to a namespace again, but a connection without a socket is subject to no limit.
 */
export function closeLeftConnections(server: Server): void {
  server.on('connection', (socket) => {
    socket.once('disconnect', (reason) => {
      if (reason === 'client namespace disconnect') socket.conn.close(true);
    });
  });
}
