// The server to compare with: only Socket.IO, with the authentication and the settings of the service. Each socket gets
// one message; POST /positions sends a different one to each of them.
import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { tokensService } from './waiting-line.mjs';

const tokens = tokensService();
/** The last position that a socket got, in the order in which they connected. */
let moves = 0;

const server = createServer((request, response) => {
  if (request.url === '/positions') sendPositions();
  response.end('{}');
});

const io = new Server(server, {
  path: '/socket/websocket',
  transports: ['websocket', 'polling'],
  perMessageDeflate: false,
  pingInterval: 8000,
  pingTimeout: 6000,
  serveClient: false,
});

io.use((socket, next) => {
  try {
    socket.data.callId = tokens.verify('customer', socket.handshake.auth.token).sub;
    next();
  } catch (error) {
    next(error);
  }
});

io.on('connection', (socket) => {
  socket.emit('snapshot', {
    call_id: socket.data.callId,
    status: 'queued',
    position: io.sockets.sockets.size,
    estimated_wait_time: 180 * io.sockets.sockets.size,
    agent: null,
    started_at: null,
    disconnected_at: null,
    grace_deadline: null,
    version: 1,
    at: new Date().toISOString(),
  });
});

function sendPositions() {
  let position = --moves;
  const queue_size = io.sockets.sockets.size;
  for (const socket of io.sockets.sockets.values()) {
    position++;
    socket.emit('queue_position', {
      call_id: socket.data.callId,
      position,
      estimated_wait_time: position * 180,
      queue_size,
      version: 1,
      at: new Date().toISOString(),
    });
  }
}

server.listen(Number(process.env.PORT), '127.0.0.1');
