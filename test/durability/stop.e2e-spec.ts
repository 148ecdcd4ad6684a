import { readdirSync } from 'node:fs';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { lockDataDir } from '../../src/platform/database/embedded/data-dir-lock';
import { ensureBuilt } from '../support/service/built-service';
import { DataDir, isAlive } from '../support/service/data-dir';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { TestSocket } from '../support/sockets/socket';
import { until } from '../support/until';

const OWNER = { tenant: 'demo', email: 'owner@demo.example', password: 'demo-call-queue' };
let dataDir: DataDir;

beforeAll(ensureBuilt, 120_000);

beforeEach(() => {
  dataDir = new DataDir();
});

afterEach(async () => {
  await stopServices();
  dataDir.remove();
});

describe('a running service', () => {
  // npm forwards the signal that the terminal has already sent, so a second signal is normal.
  it.each<NodeJS.Signals[]>([
    ['SIGTERM', 'SIGTERM'],
    ['SIGINT', 'SIGTERM'],
  ])('stops gracefully on %s and %s', async (...signals) => {
    const service = await ServiceProcess.start({ DATA_DIR: dataDir.path });
    const { api } = service;
    const postmaster = dataDir.postmaster ?? 0;
    const token = /\/c\/(\S+)/.exec(service.output)?.[1] ?? '';
    const entry = await api.post(`/api/v1/call/${token}/join`, { name: 'Wanda Waiting' });
    const customer = await TestSocket.connect(service.url, entry.body.data.websocket_token, {
      reconnection: true,
    });
    const disconnectReason = new Promise((resolve) => customer.io.once('disconnect', resolve));
    const slow = await SlowLogin.begin(service.port);

    service.signal(...signals);

    // Until the request in progress ends, the service still answers and reports that it is not ready.
    const ready = await until(async () => {
      const answer = await api.get('/readyz');
      return answer.status === 503 && answer;
    });
    expect(ready.body.errors).toMatchObject({ code: 'not_ready' });
    expect((await api.get('/healthz')).status).toBe(200);
    const join503 = await api.post(`/api/v1/call/${token}/join`, { name: 'Larry Late' });
    expect([join503.status, join503.body.errors.code]).toEqual([503, 'unavailable']);
    expect(Number(join503.headers.get('retry-after'))).toBeGreaterThan(0);
    // Clients reconnect automatically after this disconnect reason.
    expect(await disconnectReason).toBe('transport close');
    expect(customer.io.active).toBe(true);
    await expect(TestSocket.connect(service.url, entry.body.data.websocket_token)).rejects.toThrow();
    expect(isAlive(service.pid)).toBe(true);

    service.signal(...signals);
    expect(await slow.finish()).toMatch(/^HTTP\/1\.1 200 .*"access_token"/s);

    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(isAlive(postmaster)).toBe(false);
    expect(dataDir.postmaster).toBeUndefined();
    await (await lockDataDir(dataDir.path)).release();
    expect(errorsIn(service.output)).toEqual([]);
    customer.close();
  });

  it('serves everything for DRAIN_SECONDS, and closes connections with their next answer', async () => {
    const service = await ServiceProcess.start({ DATA_DIR: dataDir.path, DRAIN_SECONDS: '8' });
    const { api } = service;
    const token = /\/c\/(\S+)/.exec(service.output)?.[1] ?? '';
    const join = () => api.post(`/api/v1/call/${token}/join`, { name: 'Wanda Waiting' });
    expect((await join()).headers.get('connection')).toBe('keep-alive');

    service.signal('SIGTERM');

    await until(async () => (await api.get('/readyz')).status === 503);
    const joined = await join();
    expect([joined.status, joined.headers.get('connection')]).toEqual([200, 'close']);
    const customer = await TestSocket.connect(service.url, joined.body.data.websocket_token);
    expect(await customer.send('snapshot')).toMatchObject({ ok: true });
    await until(async () => (await join().catch(() => ({ status: 503 }))).status === 503);
    expect(await service.ended).toEqual({ code: 0, signal: null });
    customer.close();
  });

  it('does not wait forever for a stalled client', async () => {
    const service = await ServiceProcess.start({ DATA_DIR: dataDir.path, SEED_DEMO: 'false' });
    const slow = await SlowLogin.begin(service.port);

    const { code } = await service.stop();

    expect(code).toBe(0);
    expect(dataDir.postmaster).toBeUndefined();
    await slow.ended;
  });
});

describe('an aborted start', () => {
  it.each([
    [
      'while the database is created',
      () => readdirSync(dataDir.path).some((name) => name === 'postgres.init'),
    ],
    ['once the database runs', () => dataDir.postmaster !== undefined],
  ])('%s leaves nothing running', async (_when, isReached) => {
    let service: ServiceProcess;
    let wasUp: boolean;
    // A start that was over when this process came to look is not interrupted by the signals.
    do {
      await stopServices();
      dataDir.remove();
      dataDir = new DataDir();
      service = await ServiceProcess.spawn({ DATA_DIR: dataDir.path });
      await until(() => isReached() || service.output.includes('is up at'));
      wasUp = service.output.includes('is up at');
      service.signal('SIGINT', 'SIGTERM');
      await service.ended;
    } while (wasUp);

    expect(service.output).not.toContain('is up at');
    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(dataDir.postmaster).toBeUndefined();
    await (await lockDataDir(dataDir.path)).release();
  });
});

/** Log lines of errors, without those of requests rejected with 503. */
const errorsIn = (output: string) =>
  output.split('\n').filter((line) => /"level":"(error|fatal)"/.test(line) && !/"status":503/.test(line));

/** A login whose body is sent in two parts, so that the test controls how long the request lasts. */
class SlowLogin {
  private readonly body = JSON.stringify(OWNER);
  private answer = '';
  readonly ended: Promise<unknown>;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => (this.answer += chunk.toString()));
    socket.on('error', () => undefined);
    this.ended = once(socket, 'close');
  }

  static async begin(port: number): Promise<SlowLogin> {
    const socket = createConnection(port, '127.0.0.1');
    await once(socket, 'connect');
    const request = new SlowLogin(socket);
    const head = [
      'POST /api/auth/login HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(request.body)}`,
      'Expect: 100-continue',
      'Connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    // The interim response shows that the service has received the request.
    await until(() => request.answer.startsWith('HTTP/1.1 100'));
    request.answer = '';
    socket.write(request.body.slice(0, 10));
    return request;
  }

  async finish(): Promise<string> {
    this.socket.write(this.body.slice(10));
    await this.ended;
    return this.answer.trimStart();
  }
}
