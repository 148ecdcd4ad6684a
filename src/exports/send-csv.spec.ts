import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { sendCsv } from './send-csv';

type Open = (signal: AbortSignal) => AsyncGenerator<Buffer, void>;

const ROWS = Buffer.alloc(65_536, 'row\r\n');

let server: Server;
/** 'done', or the error of sendCsv. */
let sent: Promise<unknown>;
let opened = 0;
let closed = 0;

/** Serves `rows`, and counts how often they are opened and closed. */
async function serve(rows: Open, stallTimeoutMs?: number): Promise<string> {
  const counted: Open = async function* (signal) {
    opened++;
    try {
      yield* rows(signal);
    } finally {
      closed++;
    }
  };
  const app = express();
  app.get('/', (request, response) => {
    sent = sendCsv(request, response, 'rows.csv', counted, stallTimeoutMs).then(
      () => 'done',
      (error: unknown) => {
        if (response.headersSent) response.destroy();
        else response.status(503).end();
        return error;
      },
    );
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

beforeEach(() => {
  opened = 0;
  closed = 0;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A response whose body is not read yet. */
async function request(url: string): Promise<IncomingMessage> {
  const [response] = (await once(get(url), 'response')) as [IncomingMessage];
  return response.on('error', () => {});
}

/** Rows that never end. */
const endless: Open = async function* () {
  for (;;) yield ROWS;
};

/** Waits for the signal, like a busy database that returns nothing. */
async function waitForAbort(signal: AbortSignal): Promise<void> {
  await once(signal, 'abort');
  signal.throwIfAborted();
}

it('sends the rows as a file', async () => {
  const url = await serve(async function* () {
    yield Buffer.from('id\r\n');
    yield Buffer.from('1\r\n');
  });
  const response = await fetch(url);
  expect(await response.text()).toBe('id\r\n1\r\n');
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': 'attachment; filename=rows.csv',
    'cache-control': 'private, no-store',
  });
  expect([await sent, opened, closed]).toEqual(['done', 1, 1]);
});

it('answers HEAD with the same headers, and does not open the rows', async () => {
  const response = await fetch(await serve(endless), { method: 'HEAD' });
  expect(response.headers.get('content-disposition')).toBe('attachment; filename=rows.csv');
  expect([response.status, await sent, opened]).toEqual([200, 'done', 0]);
});

it('closes the rows when the client disconnects', async () => {
  const response = await request(await serve(endless));
  response.destroy();
  expect([await sent, closed]).toEqual(['done', 1]);
});

it('closes rows that are being awaited when the client disconnects', async () => {
  const url = await serve(async function* (signal) {
    yield ROWS;
    await waitForAbort(signal);
  });
  const response = await request(url);
  response.destroy();
  expect([await sent, closed]).toEqual(['done', 1]);
});

it('closes rows that have not started when the client disconnects', async () => {
  const opening = Promise.withResolvers<void>();
  const url = await serve(async function* (signal) {
    opening.resolve();
    await waitForAbort(signal);
    yield ROWS;
  });
  const pending = get(url).on('error', () => {});
  await opening.promise;
  pending.destroy();
  expect([await sent, closed]).toEqual(['done', 1]);
});

it('aborts when the client reads nothing for too long', async () => {
  const response = await request(await serve(endless, 100));
  expect([await sent, closed]).toEqual(['done', 1]);
  response.resume();
  await new Promise((resolve) => response.once('close', resolve));
  expect(response.complete).toBe(false);
});

it('continues while the client makes progress', async () => {
  let chunks = 0;
  const url = await serve(async function* () {
    while (++chunks <= 10) {
      await new Promise((resolve) => setTimeout(resolve, 80));
      yield ROWS;
    }
  }, 400);
  expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(10 * ROWS.length);
});

it('fails with 503 when the rows do not start in time', async () => {
  const response = await fetch(await serve(rowsThatNeverStart, 50));
  expect(response.status).toBe(503);
  expect(await sent).toMatchObject({ status: 503, code: 'unavailable' });
  expect(closed).toBe(1);
});

const rowsThatNeverStart: Open = async function* (signal) {
  await waitForAbort(signal);
  yield ROWS;
};

it('throws an error that occurs before the first row, with no headers set', async () => {
  const url = await serve(async function* () {
    await Promise.reject(new Error('no rows'));
    yield ROWS;
  });
  const response = await fetch(url);
  expect([response.status, response.headers.get('content-disposition')]).toEqual([503, null]);
  expect(await sent).toEqual(new Error('no rows'));
});

it('breaks the connection when the rows fail later', async () => {
  const url = await serve(async function* () {
    yield ROWS;
    throw new Error('no more rows');
  });
  const response = await fetch(url);
  await expect(response.text()).rejects.toThrow();
  expect([response.status, await sent]).toEqual([200, new Error('no more rows')]);
});
