import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, type Socket } from 'socket.io';
import { connectSocket, type ConnectionProblem, type CustomerSocket } from './socket';

const page = new EventTarget();
const globals = globalThis as unknown as Record<string, unknown>;

/** Of the service, whose clock may not be that of the device. */
const AT = '2026-03-02T12:00:00.000Z';

/** The first payload of the event. */
function next<E extends Parameters<CustomerSocket['on']>[0]>(
  socket: CustomerSocket,
  event: E,
): Promise<never> {
  return new Promise((resolve) => {
    const stop = socket.on(event, (payload) => {
      stop();
      resolve(payload as never);
    });
  });
}

describe('the socket client', () => {
  let http: HttpServer;
  let server: Server;
  let refusal: { code: string; detail: string } | null = null;
  let peers: Socket[];
  let socket: CustomerSocket;
  let handshakes: Record<string, unknown>[];

  beforeEach(async () => {
    refusal = null;
    peers = [];
    handshakes = [];
    globals['addEventListener'] = page.addEventListener.bind(page);
    globals['removeEventListener'] = page.removeEventListener.bind(page);
    globals['document'] = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    http = createServer();
    server = new Server(http, { path: '/socket/websocket' });
    server.use((peer, done) => {
      handshakes.push(peer.handshake.auth);
      done(refusal ? Object.assign(new Error(refusal.code), { data: refusal }) : undefined);
    });
    server.on('connection', (peer) => {
      peers.push(peer);
      peer.on('leave_queue', (_, done: (answer: unknown) => void) =>
        done({ ok: true, data: { status: 'cancelled' } }),
      );
      peer.on('take_over', (_, done: (answer: unknown) => void) =>
        done({ ok: false, error: { code: 'invalid_state', detail: 'No.' } }),
      );
      peer.on('snapshot', (_, done: (answer: unknown) => void) =>
        done({ ok: true, data: { call_id: 'c', version: 9, status: 'active', at: AT } }),
      );
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const { port } = http.address() as AddressInfo;
    socket = connectSocket({ url: `http://127.0.0.1:${port}`, token: () => 'secret', session: 'page-1' });
  });

  afterEach(async () => {
    socket.close();
    await server.close();
    for (const name of ['addEventListener', 'removeEventListener', 'document']) delete globals[name];
  });

  it('sends token and session, and resolves with the data of the acknowledgement', async () => {
    await next(socket, 'connect');
    expect(handshakes).toEqual([{ token: 'secret', session: 'page-1' }]);
    await expect(socket.emit('leave_queue')).resolves.toEqual({ status: 'cancelled' });
  });

  it('rejects with the code of a refused event, and without a connection', async () => {
    await expect(socket.emit('leave_queue')).rejects.toMatchObject({ code: 'disconnected' });
    await next(socket, 'connect');
    await expect(socket.emit('take_over')).rejects.toMatchObject({
      name: 'SocketError',
      code: 'invalid_state',
    });
  });

  it('drops events that are too old, and brings a snapshot after a missed one', async () => {
    await next(socket, 'connect');
    const seen: number[] = [];
    socket.on('call_requeued', ({ version }) => seen.push(version));
    const state = next(socket, 'snapshot');
    for (const version of [3, 2, 4, 6]) peers[0]?.emit('call_requeued', { call_id: 'c', version });
    await expect(state).resolves.toMatchObject({ version: 9, status: 'active', at: AT });
    expect(seen).toEqual([3, 4, 6]);
  });

  it('asks for the snapshot again when the service answers too late', async () => {
    await next(socket, 'connect');
    const answer = peers[0]?.listeners('snapshot')[0] as (payload: object, done: unknown) => void;
    peers[0]?.removeAllListeners('snapshot').once('snapshot', () => peers[0]?.on('snapshot', answer));
    socket.resync();
    await expect(next(socket, 'snapshot')).resolves.toMatchObject({ version: 9 });
  });

  it('tells why the service refuses the token, and connects again when the page has another one', async () => {
    await next(socket, 'connect');
    refusal = { code: 'token_expired', detail: 'Expired.' };
    const problem: Promise<ConnectionProblem> = next(socket, 'connect_error');
    socket.reconnect();
    await expect(problem).resolves.toEqual({ code: 'token_expired', detail: 'Expired.', retrying: false });
    refusal = null;
    const connected = next(socket, 'connect');
    socket.reconnect();
    await connected;
  });

  it('tries again by itself when the token could not be checked', async () => {
    await next(socket, 'connect');
    refusal = { code: 'unavailable', detail: 'Busy.' };
    const problem: Promise<ConnectionProblem> = next(socket, 'connect_error');
    socket.reconnect();
    expect((await problem).retrying).toBe(true);
    refusal = null;
    await next(socket, 'connect');
  });

  it('connects again after the service has closed the connection', async () => {
    await next(socket, 'connect');
    const connected = next(socket, 'connect');
    peers[0]?.disconnect();
    await connected;
    expect(peers).toHaveLength(2);
  });

  it('stays closed', async () => {
    await next(socket, 'connect');
    socket.close();
    page.dispatchEvent(new Event('online'));
    expect(socket.connected).toBe(false);
  });
});
