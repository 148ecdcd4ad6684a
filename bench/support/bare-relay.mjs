// The server to compare with: Socket.IO alone. Each socket joins a room and relays what it sends to the room of the other
// side, as it is, with an acknowledgement if one is requested.
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const http = createServer((_request, response) => response.end('{}'));
const io = new Server(http, { transports: ['websocket'], serveClient: false });
/** As long as that of the service. */
const ACCEPTED = { ok: true, data: { delivered: true } };

io.on('connection', (socket) => {
  const { own, other } = socket.handshake.auth;
  void socket.join(own);
  socket.on('signal', (signal, acknowledge) => {
    io.to(other).emit('signal', signal);
    acknowledge?.(ACCEPTED);
  });
  socket.emit('snapshot', {});
});

http.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
