import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { OutboundHttp } from '../../src/platform/outbound/outbound-http';
import { Loopback } from '../support/service/loopback';
import { until } from '../support/until';

let loopback: Loopback;

beforeAll(() => {
  loopback = new Loopback();
});

afterAll(() => loopback.stop());

const LIMIT = 'no answer within 0.3 s';
const outbound = (limitMs = 10_000) => new OutboundHttp({ allowedPrivateHosts: ['127.0.0.1'], limitMs });

const post = (port: number, limitMs?: number, stop?: AbortSignal) =>
  outbound(limitMs).post(`http://127.0.0.1:${port}/`, '{}', {}, stop);

const postTo = async (onRequest: RequestListener) => post(await loopback.http(onRequest));

/** A server that reads what it is sent and then does as it likes. */
const postToTcp = async (then: (socket: Socket) => void) =>
  post(await loopback.tcp((socket) => socket.once('data', () => then(socket))));

describe('an answer', () => {
  it.each([200, 204, 400, 410, 500, 503])('of %i is told', async (status) => {
    const outcome = await postTo((_request, response) => response.writeHead(status).end());
    expect(outcome).toMatchObject({ response_status: status, response_body: '', error: null });
  });

  it('may say when to come again', async () => {
    const outcome = await postTo((_request, response) => {
      response.writeHead(429, { 'retry-after': 'Wed, 21 Oct 2037 07:28:00 GMT' }).end('later');
    });
    expect(outcome).toMatchObject({ retry_after: 'Wed, 21 Oct 2037 07:28:00 GMT', response_body: 'later' });
  });

  it('may be bytes that are no text', async () => {
    const outcome = await postTo((_request, response) => response.end(Buffer.from([0x61, 0, 0xff, 0x62])));
    expect(outcome.response_body).toBe('a\ufffdb');
  });

  it('may have others before it', async () => {
    const outcome = await postToTcp((socket) => {
      const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(100);
      socket.write(`HTTP/1.1 100 Continue\r\n\r\n${hints}HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\ntaken`);
    });
    expect(outcome).toMatchObject({ response_status: 200, response_body: 'taken', error: null });
  });

  it('may have garbage behind it', async () => {
    const outcome = await postToTcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\ntaken 220 smtp ESMTP\r\n');
    });
    expect(outcome).toMatchObject({ response_status: 200, response_body: 'taken', error: null });
  });

  it('that comes before the request was read counts, and nothing more is sent', async () => {
    let peer: Socket | undefined;
    const port = await loopback.tcp((socket) => {
      peer = socket;
      socket.write('HTTP/1.1 413 Content Too Large\r\ncontent-length: 4\r\n\r\nmuch');
    });
    const outcome = await outbound().post(`http://127.0.0.1:${port}/`, 'a'.repeat(20_000_000), {});
    expect(outcome).toMatchObject({ response_status: 413, response_body: 'much', error: null });
    peer?.resume();
    await until(() => peer?.closed);
    expect(peer?.bytesRead).toBeLessThan(10_000_000);
  });

  it('of 50 MB costs a KiB', async () => {
    let written = 0;
    let isOver = false;
    const outcome = await postTo((_request, response) => {
      const chunk = Buffer.alloc(64 * 1024, 'a');
      const write = (): void => {
        while (written < 50_000_000) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', write);
        }
        response.end();
      };
      response.on('close', () => (isOver = true));
      write();
    });
    expect(outcome).toMatchObject({ response_status: 200, response_body: 'a'.repeat(1024), error: null });
    await until(() => isOver);
    expect(written).toBeLessThan(10_000_000);
  });
});

describe('no whole answer', () => {
  it('comes where headers never do', async () => {
    let isOver = false;
    const port = await loopback.http((request) => request.on('close', () => (isOver = true)));
    expect(await post(port, 300)).toMatchObject({ response_status: null, response_body: null, error: LIMIT });
    await until(() => isOver);
  });

  it('comes where the body drips', async () => {
    const port = await loopback.http((_request, response) => {
      const timer = setInterval(() => response.write('a'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const outcome = await post(port, 300);
    expect(outcome).toMatchObject({ response_status: 200, response_body: null, error: LIMIT });
    expect(outcome.duration_ms).toBeGreaterThanOrEqual(290);
    expect(outcome.duration_ms).toBeLessThan(2000);
  });

  it('comes where headers drip', async () => {
    const port = await loopback.tcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x: y\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await post(port, 300)).toMatchObject({ response_status: null, error: LIMIT });
  });

  it('is waited for once the request was given up', async () => {
    const stop = new AbortController();
    const port = await loopback.http(() => stop.abort());
    expect(await post(port, undefined, stop.signal)).toMatchObject({
      response_status: null,
      error: 'given up',
    });
    expect(await post(port, undefined, stop.signal)).toMatchObject({ error: 'given up' });
  });

  it('comes where nobody listens', async () => {
    const gone = new Loopback();
    const port = await gone.tcp(() => {});
    await gone.stop();
    expect(await post(port)).toMatchObject({ response_status: null, error: 'connection refused' });
  });

  const failures: [string, string, (socket: Socket) => void][] = [
    ['a connection that is reset', 'connection broke off', (socket) => socket.resetAndDestroy()],
    ['a connection that ends', 'connection broke off', (socket) => socket.end()],
    ['garbage', 'answer is not HTTP', (socket) => socket.end('\x16\x03\x01 220 smtp ESMTP\r\n')],
    [
      'too much of headers',
      'headers of the answer too large',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}`),
    ],
    [
      'another protocol',
      'connection broke off',
      (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    ],
  ];

  it.each(failures)('is %s', async (_what, error, then) => {
    expect(await postToTcp(then)).toMatchObject({ response_status: null, response_body: null, error });
  });

  it('is one that breaks off', async () => {
    const outcome = await postToTcp((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
    );
    expect(outcome).toMatchObject({
      response_status: 200,
      response_body: null,
      error: 'connection broke off',
    });
  });
});
