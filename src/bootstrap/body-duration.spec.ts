import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { limitBodyDuration } from './body-duration';

const UPLOAD_TYPE = 'multipart/form-data; boundary=x';

let server: Server;
let done: Promise<string>[];

beforeEach(async () => {
  await listen();
});

/** Starts the server, with a limit of uploads that is never reached unless a test sets it. */
async function listen(limits: { bodyMs?: number; progressMs?: number; minProgressBytes?: number } = {}) {
  done = [];
  const app = express().use(
    limitBodyDuration({ bodyMs: 100, restMs: 100, progressMs: 60_000, minProgressBytes: 1, ...limits }),
  );
  app.post('/early', (_request, response) => void response.status(413).end());
  app.post('/whole', (request, response) => {
    const reading = once(request.resume(), 'close').then(() => (request.complete ? 'complete' : 'aborted'));
    done.push(reading);
    request.once('end', () => response.end());
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
}

function stop(): void {
  server.closeAllConnections();
  server.close();
}

afterEach(stop);

/** Sends the head of a request with a body, and the first three of its bytes. */
async function begin(path: string, type: string, length = 6) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  // A write after the server has closed the connection fails, so the error may come before the close.
  const closed = new Promise((resolve) =>
    socket
      .on('error', () => {})
      .resume()
      .once('close', resolve),
  );
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\nabc`,
  );
  await once(server, 'request');
  return { socket, closed };
}

/** Sends `bytes` every 10 ms. @returns a function that stops */
function sendSlowly({ socket }: Awaited<ReturnType<typeof begin>>, bytes: number): () => void {
  const timer = setInterval(() => socket.write('x'.repeat(bytes)), 10);
  return () => clearInterval(timer);
}

it('closes the connection of a body that does not end', async () => {
  const { closed } = await begin('/whole', 'application/json');
  await closed;
  expect(await done[0]).toBe('aborted');
});

it('accepts a body that ends in time', async () => {
  stop();
  await listen({ bodyMs: 60_000 });
  const { socket } = await begin('/whole', 'application/json');
  socket.write('def');
  expect(await done[0]).toBe('complete');
});

it.each([UPLOAD_TYPE, 'application/offset+octet-stream'])(
  'does not limit the duration of an upload (%s)',
  async (type) => {
    const slow = await begin('/whole', type);
    const { closed } = await begin('/whole', 'application/json');
    await closed;
    slow.socket.write('def');
    expect(await done[0]).toBe('complete');
  },
);

it('closes the connection of a body that continues after the response, also of an upload', async () => {
  const { closed } = await begin('/early', UPLOAD_TYPE);
  await closed;
});

describe('a multipart upload', () => {
  beforeEach(async () => {
    stop();
    await listen({ progressMs: 300, minProgressBytes: 1000 });
  });

  it('is ended if it sends nothing, and not if it is resumable', async () => {
    const resumable = await begin('/whole', 'application/offset+octet-stream');
    const { closed } = await begin('/whole', UPLOAD_TYPE);
    await closed;
    expect(await done[1]).toBe('aborted');
    resumable.socket.write('def');
    expect(await done[0]).toBe('complete');
  });

  it('is ended if it sends a byte now and then', async () => {
    const slow = await begin('/whole', UPLOAD_TYPE, 1_000_000);
    const stopSending = sendSlowly(slow, 1);
    await slow.closed;
    stopSending();
    expect(await done[0]).toBe('aborted');
  });

  it('is not ended while it makes progress', async () => {
    stop();
    // On a busy machine the upload may send nothing for a while.
    await listen({ progressMs: 2000, minProgressBytes: 1000 });
    const steady = await begin('/whole', UPLOAD_TYPE, 1_000_000_003);
    const stopSending = sendSlowly(steady, 5000);
    // Two uploads that were ended show that two checks have passed.
    for (let count = 0; count < 2; count++) await (await begin('/whole', UPLOAD_TYPE)).closed;
    expect(steady.socket.destroyed).toBe(false);
    stopSending();
    await steady.closed;
    expect(await done[0]).toBe('aborted');
  });
});
