import { setTimeout as sleep } from 'node:timers/promises';
import { io } from 'socket.io-client';
import { OWNER_RETENTION_MS, SocketOwners } from '../../../src/live/limits/socket-owners';
import { ConnectionAttempts } from '../../../src/live/adapter/connection-attempts';
import type { Json } from '../../support/http/api';
import { type Member, TestTenant } from '../../support/builders';
import { oneTo } from '../../support/database/rows';
import { closingSockets } from '../../support/sockets/connect-sockets';
import { PollingConnection } from '../../support/sockets/polling-connection';
import { RawSocket } from '../../support/sockets/raw-socket';
import type { TestSocket } from '../../support/sockets/socket';
import { startTestApp, type TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const RATE_LIMITED = { ok: false, error: { code: 'rate_limited', detail: expect.stringMatching(/\S/) } };

const members = (count: number) => Object.fromEntries(oneTo(count).map((number) => [`k${number}`, number]));

const waitUntilClosed = (socket: TestSocket | undefined) =>
  until(
    () => socket?.io.connected === false,
    () => 'the socket is still open',
  );

const openOf = (sockets: TestSocket[]) => sockets.map((socket) => socket.io.connected);

const codes = (errors: (Error | undefined)[]) =>
  errors.map((error) => (error as { data?: Json } | undefined)?.data?.code);

const SOCKET_OPTIONS = {
  path: '/socket/websocket',
  transports: ['websocket'],
  forceNew: true,
  reconnection: false,
};

const headersFor = (address: string) => ({ extraHeaders: { 'X-Forwarded-For': address } });

/** Opens a connection from another address. @returns the error, or undefined after connecting */
async function attemptAt(url: string, address: string, token: string): Promise<Error | undefined> {
  const socket = io(url, { ...SOCKET_OPTIONS, ...headersFor(address), auth: { token } });
  const error = await new Promise<Error | undefined>((resolve) => {
    socket.once('connect', () => resolve(undefined));
    socket.once('connect_error', resolve);
    socket.once('disconnect', (reason) => resolve(new Error(reason)));
  });
  socket.disconnect();
  return error;
}

describe('the limits of a socket', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let link: Json;
  let agent: Member;
  const { connect, open } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await startTestApp({ env: { SOCKET_RATE_LIMIT: '10', TRUST_PROXY: '127.0.0.1' } });
    // Failures are forgotten each minute, which would end in the middle of a test.
    test.get(ConnectionAttempts)['endsAt'] = Number.POSITIVE_INFINITY;
    tenant = await TestTenant.register(test);
    const { department, link: queueLink } = await tenant.queue({ max_queue_size: 100 });
    link = queueLink;
    agent = await tenant.member('attendant', [department.id]);
  });

  afterAll(() => test.close());

  const attempt = (address: string, token: string) => attemptAt(test.url, address, token);

  /** Connects a new customer and sends invalid tokens. @returns whether the connection is still open */
  async function isOpenAfterRenewals(address: string, count: number): Promise<boolean> {
    const { websocket_token } = await tenant.join(link);
    const socket = await connect(websocket_token, headersFor(address));
    const renew = () => socket.send('authenticate', { token: 'garbage' }).catch(() => undefined);
    await Promise.all(oneTo(count).map(renew));
    return socket.io.connected;
  }

  async function endedCall(): Promise<Json> {
    const entry = await tenant.join(link);
    await test.api.post(`/api/v1/call/cancel/${entry.call_id}`, undefined, { token: entry.websocket_token });
    return entry;
  }

  describe('on events', () => {
    it('accept four times the rate at once and acknowledge the rest with rate_limited', async () => {
      const socket = await connect((await tenant.join(link)).websocket_token);
      const start = Date.now();
      const acks = await Promise.all(oneTo(60).map(() => socket.send('snapshot')));
      const accepted = acks.filter(({ ok }) => ok).length;
      expect(accepted).toBeGreaterThanOrEqual(40);
      expect(accepted).toBeLessThanOrEqual(41 + (10 * (Date.now() - start)) / 1000);
      for (const ack of acks.filter(({ ok }) => !ok)) expect(ack).toEqual(RATE_LIMITED);
      expect(socket.io.connected).toBe(true);
      await until(async () => (await socket.send('snapshot')).ok);
    });

    it('are shared by the sockets of a call', async () => {
      const { websocket_token } = await tenant.join(link);
      const [one, other] = [await connect(websocket_token), await connect(websocket_token)];
      // Each socket alone may send as many.
      const acks = await Promise.all(
        [one, other].flatMap((socket) => oneTo(35).map(() => socket.send('snapshot'))),
      );
      expect(acks).toContainEqual(RATE_LIMITED);
      const stranger = await connect((await tenant.join(link)).websocket_token);
      expect(await stranger.send('snapshot')).toMatchObject({ ok: true });
    });

    it('do not start again for a new socket', async () => {
      const refused = await until(
        async () => {
          const { websocket_token } = await tenant.join(link);
          const first = await connect(websocket_token);
          await Promise.all(oneTo(45).map(() => first.send('snapshot')));
          first.close();
          const second = await connect(websocket_token);
          // The second socket alone may send as many. If the machine was busy for seconds before, so may the call again.
          const acks = await Promise.all(oneTo(35).map(() => second.send('snapshot')));
          second.close();
          return acks.find(({ ok }) => !ok);
        },
        () => 'a new socket may send as many events as the first one',
      );
      expect(refused).toEqual(RATE_LIMITED);
    });

    it.each(['snapshot', 'no_such_event'])('disconnect a socket that goes on, with %s', async (event) => {
      const socket = await connect(agent.token);
      for (const _ of oneTo(200)) socket.io.emit(event, {});
      await waitUntilClosed(socket);
    });

    it('do not forgive more refused events with a new socket', async () => {
      const { websocket_token } = await tenant.join(link);
      const first = await connect(websocket_token);
      for (const _ of oneTo(200)) first.io.emit('snapshot', {});
      await waitUntilClosed(first);
      const second = await connect(websocket_token);
      for (const _ of oneTo(50)) second.io.emit('snapshot', {});
      await waitUntilClosed(second);
    });

    it('leave a socket open that sends few events while another one of its call goes on', async () => {
      const { websocket_token } = await tenant.join(link);
      const [quiet, flooding] = [await connect(websocket_token), await connect(websocket_token)];
      await quiet.send('snapshot');
      for (const _ of oneTo(200)) flooding.io.emit('snapshot', {});
      await waitUntilClosed(flooding);
      const acks = await Promise.all(oneTo(3).map(() => quiet.send('snapshot')));
      expect(acks).toHaveLength(3);
      expect(quiet.io.connected).toBe(true);
    });

    it('count a long event as several', async () => {
      const socket = await connect((await tenant.join(link)).websocket_token);
      const candidate = { candidate: 'x'.repeat(80_000) };
      const acks = await Promise.all(oneTo(6).map(() => socket.send('signal', { candidate })));
      expect(acks.map((ack) => ack.ok || ack.error.code)).toEqual([
        ...oneTo(4).map(() => expect.not.stringMatching('rate_limited')),
        ...oneTo(2).map(() => 'rate_limited'),
      ]);
    });

    it.each<[string, object]>([
      ['6,000 unknown keys', members(6000)],
      ['6,000 keys in a description', { description: { type: 'offer', ...members(6000) } }],
      ['a list of 15,000 items', oneTo(15_000)],
      ['binary data', { candidate: { candidate: Buffer.alloc(90_000) } }],
    ])('refuse a payload with %s and keep the socket open', async (_title, payload) => {
      const socket = await connect((await tenant.join(link)).websocket_token);
      expect(await socket.send('signal', payload)).toMatchObject({
        ok: false,
        error: { code: 'validation_failed' },
      });
    });

    it('close a connection that sends many packets without events', async () => {
      const socket = await RawSocket.connect(test.url, agent.token);
      for (const _ of oneTo(30)) socket.write('40/other,');
      await until(() => !socket.isOpen);
    });

    it.each([
      ['pongs', '3'],
      ['noops', '6'],
    ])('close a connection that sends many %s, also without a token', async (_title, packet) => {
      const connection = await PollingConnection.open(test.url);
      expect(await connection.send([packet])).toBe(true);
      await connection.send(oneTo(30).map(() => packet));
      expect(await connection.send([packet])).toBe(false);
    });

    it('close the connection after a message of more than 96 KiB', async () => {
      const socket = await connect((await tenant.join(link)).websocket_token);
      socket.io.emit('signal', { description: { type: 'offer', sdp: 'x'.repeat(98_304) } });
      await waitUntilClosed(socket);
    });
  });

  describe('on the number of sockets', () => {
    it('count the open sockets of a call whose earlier sockets were all closed several times', async () => {
      // The sockets of a call that has ended are counted by the instance alone, not in the database as well.
      const { websocket_token } = await endedCall();
      const start = Date.now();
      const sleepUntil = (retentions: number) => sleep(start + retentions * OWNER_RETENTION_MS - Date.now());
      (await connect(websocket_token)).close();
      await sleepUntil(0.4);
      (await connect(websocket_token)).close();
      await sleepUntil(0.8);
      const sockets: TestSocket[] = [];
      for (const _ of oneTo(5)) sockets.push(await connect(websocket_token));
      // Without the new sockets, the limits of the call would have been removed at 1 and at 1.4.
      await sleepUntil(1.6);
      sockets.push(await connect(websocket_token));
      await waitUntilClosed(sockets[0]);
      expect(openOf(sockets)).toEqual([false, true, true, true, true, true]);
    });

    it('close the oldest socket of a call when a sixth one connects', async () => {
      const { websocket_token } = await tenant.join(link);
      const sockets: TestSocket[] = [];
      for (const _ of oneTo(6)) sockets.push(await connect(websocket_token));
      await waitUntilClosed(sockets[0]);
      expect(openOf(sockets)).toEqual([false, true, true, true, true, true]);
      expect(await sockets[5]?.send('snapshot')).toMatchObject({ ok: true });
    });

    it('close the oldest socket of a user when the twenty-first one connects', async () => {
      const member = await tenant.member();
      const sockets: TestSocket[] = [];
      for (const _ of oneTo(21)) sockets.push(await connect(member.token));
      await waitUntilClosed(sockets[0]);
      expect(openOf(sockets)).toEqual([false, ...oneTo(20).map(() => true)]);
    });

    it('also apply to a call that has ended', async () => {
      const { websocket_token } = await endedCall();
      const sockets: TestSocket[] = [];
      for (const _ of oneTo(6)) sockets.push(await connect(websocket_token));
      await waitUntilClosed(sockets[0]);
    });
  });

  describe('on connecting', () => {
    it('close further connections of a call after 25 at once and 5 a second', async () => {
      const { websocket_token } = await tenant.join(link);
      const establish = async (): Promise<boolean> => {
        const socket = open(websocket_token);
        const isEstablished = await new Promise<boolean>((resolve) => {
          socket.io.once('snapshot', () => resolve(true));
          socket.io.once('disconnect', () => resolve(false));
        });
        socket.close();
        return isEstablished;
      };
      const start = Date.now();
      const outcomes: boolean[] = [];
      for (const _ of oneTo(12)) outcomes.push(...(await Promise.all(oneTo(5).map(establish))));
      const established = outcomes.filter(Boolean).length;
      expect(established).toBeGreaterThanOrEqual(25);
      expect(established).toBeLessThanOrEqual(26 + (5 * (Date.now() - start)) / 1000);
      await until(establish);
    });

    it('count those beyond for the address, which is refused before the handshake in the end', async () => {
      const { websocket_token } = await tenant.join(link);
      // How many are beyond depends on the time that they take.
      const beyond = jest.spyOn(test.get(SocketOwners), 'admit').mockReturnValue(false);
      try {
        await Promise.all(oneTo(100).map(() => attempt('198.51.100.12', websocket_token)));
      } finally {
        beyond.mockRestore();
      }
      const other = await tenant.join(link);
      expect(await attempt('198.51.100.12', other.websocket_token)).toBeInstanceOf(Error);
      expect(await attempt('198.51.100.13', other.websocket_token)).toBeUndefined();
    });
  });

  describe('on connections without a valid token', () => {
    it('refuse an address after 100 of them a minute, but no other one', async () => {
      const refused = [];
      for (const _ of oneTo(100)) refused.push(await attempt('198.51.100.7', 'garbage'));
      expect(new Set(codes(refused))).toEqual(new Set(['token_invalid']));
      // Rejected before the Socket.IO handshake, also with a valid token: the error has no code.
      const further = await attempt('198.51.100.7', agent.token);
      expect(further).toBeInstanceOf(Error);
      expect(codes([further])).toEqual([undefined]);
      expect(await attempt('198.51.100.8', agent.token)).toBeUndefined();
      expect(codes([await attempt('127.0.0.1', 'garbage')])).toEqual(['token_invalid']);
    });

    it('count no connection whose token is accepted', async () => {
      const tokens: string[] = [];
      for (const _ of oneTo(10)) tokens.push((await tenant.join(link)).websocket_token);
      for (const token of tokens) {
        for (const _ of oneTo(11)) expect(await attempt('198.51.100.9', token)).toBeUndefined();
      }
    });

    it('count refused tokens of authenticate', async () => {
      const open: boolean[] = [];
      // Each call may send 40 events at once.
      for (const _ of oneTo(3)) open.push(await isOpenAfterRenewals('198.51.100.10', 35));
      expect(open).toEqual([true, true, false]);
      expect(await attempt('198.51.100.10', agent.token)).toBeInstanceOf(Error);
    });

    it('count no connection whose token could not be checked', async () => {
      const calls = await Promise.all(oneTo(5).map(() => tenant.join(link)));
      const tokens: string[] = calls.map(({ websocket_token }) => websocket_token);
      await test.db.query('BEGIN; LOCK TABLE calls IN ACCESS EXCLUSIVE MODE');
      try {
        // Each of them gets the code unavailable, or is closed after 5 seconds.
        const attempts = oneTo(95).map((number) => attempt('198.51.100.11', tokens[number % 5] ?? ''));
        await Promise.all(attempts);
      } finally {
        await test.db.query('COMMIT');
      }
      await until(async () => !(await attempt('198.51.100.11', tokens[0] ?? '')));
      const refused = [];
      for (const _ of oneTo(80)) refused.push(await attempt('198.51.100.11', 'garbage'));
      expect(new Set(codes(refused))).toEqual(new Set(['token_invalid']));
    });

    it('exempt loopback', async () => {
      for (const _ of oneTo(110))
        expect(codes([await attempt('127.0.0.1', 'garbage')])).toEqual(['token_invalid']);
    });

    it('close a connection whose socket has disconnected', async () => {
      const socket = await RawSocket.connect(test.url, (await tenant.join(link)).websocket_token);
      socket.write('41');
      await until(() => !socket.isOpen);
    });

    it('close a connection that does not authenticate within 5 s', async () => {
      const { hostname, port } = new URL(test.url);
      const socket = new WebSocket(`ws://${hostname}:${port}/socket/websocket/?EIO=4&transport=websocket`);
      const start = Date.now();
      await new Promise((resolve) => socket.addEventListener('close', resolve));
      expect(Date.now() - start).toBeGreaterThan(4000);
      expect(Date.now() - start).toBeLessThan(12_000);
    });
  });
});
