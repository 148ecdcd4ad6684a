import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { OutboundClient } from '../../src/webhooks/outbound/outbound-client';
import { decodeBody } from '../../src/webhooks/outbound/outbound-request';
import { Loopback } from '../support/service/loopback';
import { until } from '../support/until';

let loopback: Loopback;

beforeAll(() => {
  loopback = new Loopback();
});

afterAll(() => loopback.stop());

const TIMEOUT = 'no complete response within 0.3 s';
const outbound = (timeoutMs = 10_000) =>
  new OutboundClient({
    allowedPrivateHosts: ['127.0.0.1'],
    timeoutMs,
    maxBodyBytes: 1024,
  });

const post = (port: number, timeoutMs?: number, signal?: AbortSignal) =>
  outbound(timeoutMs).request(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}', signal });

const postTo = async (onRequest: RequestListener) => post(await loopback.http(onRequest));

/** Posts to a TCP server that runs `then` when it has received data. */
const postToTcp = async (then: (socket: Socket) => void) =>
  post(await loopback.tcp((socket) => socket.once('data', () => then(socket))));

describe('a response', () => {
  it.each([200, 204, 400, 410, 500, 503])('with the status %i is returned', async (status) => {
    const result = await postTo((_request, response) => response.writeHead(status).end());
    expect(result).toMatchObject({ status: status, body: Buffer.from(''), error: null });
  });

  it('is returned with its Retry-After header', async () => {
    const result = await postTo((_request, response) => {
      response.writeHead(429, { 'retry-after': 'Wed, 21 Oct 2037 07:28:00 GMT' }).end('later');
    });
    expect(result).toMatchObject({
      headers: { 'retry-after': 'Wed, 21 Oct 2037 07:28:00 GMT' },
      body: Buffer.from('later'),
    });
  });

  it('may contain bytes that are not UTF-8', async () => {
    const result = await postTo((_request, response) => response.end(Buffer.from([0x61, 0, 0xff, 0x62])));
    expect(decodeBody(result.body ?? Buffer.of())).toBe('a\ufffdb');
  });

  it('may follow interim responses', async () => {
    const result = await postToTcp((socket) => {
      const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(100);
      socket.write(`HTTP/1.1 100 Continue\r\n\r\n${hints}HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\ntaken`);
    });
    expect(result).toMatchObject({ status: 200, body: Buffer.from('taken'), error: null });
  });

  it('may be followed by garbage', async () => {
    const result = await postToTcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\ntaken 220 smtp ESMTP\r\n');
    });
    expect(result).toMatchObject({ status: 200, body: Buffer.from('taken'), error: null });
  });

  it('that arrives before the request was read is returned, and sending stops', async () => {
    let peer: Socket | undefined;
    const port = await loopback.tcp((socket) => {
      peer = socket;
      socket.write('HTTP/1.1 413 Content Too Large\r\ncontent-length: 4\r\n\r\nmuch');
    });
    const result = await outbound().request(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: 'a'.repeat(20_000_000),
    });
    expect(result).toMatchObject({ status: 413, body: Buffer.from('much'), error: null });
    peer?.resume();
    await until(() => peer?.closed);
    expect(peer?.bytesRead).toBeLessThan(10_000_000);
  });

  it('of 50 MB is truncated to 1 KiB, and its connection is closed', async () => {
    let written = 0;
    let isOver = false;
    const result = await postTo((_request, response) => {
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
    expect(result).toMatchObject({ status: 200, body: Buffer.from('a'.repeat(1024)), error: null });
    await until(() => isOver);
    expect(written).toBeLessThan(10_000_000);
  });
});

describe('an incomplete response', () => {
  it('is a timeout when no headers arrive', async () => {
    let isOver = false;
    const port = await loopback.http((request) => request.on('close', () => (isOver = true)));
    expect(await post(port, 300)).toMatchObject({ status: null, body: null, error: TIMEOUT });
    await until(() => isOver);
  });

  it('is a timeout when the body arrives too slowly', async () => {
    const port = await loopback.http((_request, response) => {
      response.flushHeaders();
      const timer = setInterval(() => response.write('a'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const result = await post(port, 2000);
    expect(result).toMatchObject({ status: 200, body: null, error: 'no complete response within 2 s' });
    expect(result.durationMs).toBeGreaterThanOrEqual(1990);
    expect(result.durationMs).toBeLessThan(10_000);
  });

  it('is a timeout when the headers arrive too slowly', async () => {
    const port = await loopback.tcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x: y\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await post(port, 300)).toMatchObject({ status: null, error: TIMEOUT });
  });

  it('is not awaited after the request was aborted', async () => {
    const stop = new AbortController();
    const port = await loopback.http(() => stop.abort());
    expect(await post(port, undefined, stop.signal)).toMatchObject({
      status: null,
      error: 'aborted',
    });
    expect(await post(port, undefined, stop.signal)).toMatchObject({ error: 'aborted' });
  });

  it('is reported when no server listens', async () => {
    const gone = new Loopback();
    const port = await gone.tcp(() => {});
    await gone.stop();
    expect(await post(port)).toMatchObject({ status: null, error: 'connection refused' });
  });

  const failures: [string, string, (socket: Socket) => void][] = [
    ['a connection that is reset', 'connection closed early', (socket) => socket.resetAndDestroy()],
    ['a connection that ends', 'connection closed early', (socket) => socket.end()],
    [
      'data that is not HTTP',
      'response is not HTTP',
      (socket) => socket.end('\x16\x03\x01 220 smtp ESMTP\r\n'),
    ],
    [
      'headers that are too large',
      'response headers too large',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}`),
    ],
    [
      'another protocol',
      'connection closed early',
      (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    ],
  ];

  it.each(failures)('is reported for %s', async (_what, error, then) => {
    expect(await postToTcp(then)).toMatchObject({ status: null, body: null, error });
  });

  it('is reported when the connection closes during the body', async () => {
    const result = await postToTcp((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
    );
    expect(result).toMatchObject({
      status: 200,
      body: null,
      error: 'connection closed early',
    });
  });
});
