import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Server } from 'socket.io';
import { deferMessages } from './defer-messages';

let http: HttpServer;
let server: Server;
let client: Socket;
/** The number of messages that were handled in each turn of the event loop, without turns in which none was. */
let handled: number[];
let isOver: boolean;

beforeEach(async () => {
  handled = [];
  isOver = false;
  http = createServer();
  server = new Server(http, { transports: ['websocket'] });
  deferMessages(server);
  let count = 0;
  const countMessage = () => count++;
  const endTurn = () => {
    if (count > 0) handled.push(count);
    count = 0;
    if (!isOver) setImmediate(endTurn);
  };
  server.engine.on('connection', (connection) => {
    const { socket } = connection.transport as unknown as { socket: NodeJS.EventEmitter };
    for (const event of ['message', 'ping']) socket.on(event, countMessage);
    endTurn();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  client = await openWebSocket((http.address() as AddressInfo).port);
});

afterEach(async () => {
  isOver = true;
  client.destroy();
  await server.close();
});

async function openWebSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n' +
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  await once(socket, 'data');
  return socket;
}

const TEXT = 1;
const PING = 9;

/** A frame of a client (RFC 6455, 5.2), masked with zeros. */
function frame(opcode: number, text: string): Buffer {
  const { length } = text;
  const head = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...head, 0, 0, 0, 0]), Buffer.from(text)]);
}

/** Sends the frames in one packet. @returns the number of frames that were handled in each turn */
async function send(...frames: Buffer[]): Promise<number[]> {
  client.write(Buffer.concat(frames));
  while (handled.reduce((sum, count) => sum + count, 0) < frames.length) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return handled;
}

describe('deferMessages', () => {
  it('handles four small messages in a turn', async () => {
    const messages = Array.from({ length: 10 }, () => frame(TEXT, '3'));
    expect(await send(...messages)).toEqual([4, 4, 2]);
  });

  it('handles one large message in a turn', async () => {
    const large = frame(TEXT, `3${'a'.repeat(5000)}`);
    expect(await send(large, large, large)).toEqual([1, 1, 1]);
  });

  it('counts pings, which are answered', async () => {
    expect(await send(...Array.from({ length: 6 }, () => frame(PING, '')))).toEqual([4, 2]);
  });
});
