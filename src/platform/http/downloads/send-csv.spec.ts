import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { sendCsv } from './send-csv';

type Open = (signal: AbortSignal) => AsyncGenerator<Buffer, void>;

const ROWS = Buffer.alloc(65_536, 'row\r\n');

let server: Server;
/** What sendCsv came to. */
let sent: Promise<unknown>;
let opened = 0;
let closed = 0;

/** Serves what `rows` gives, and counts how often it was begun and brought to an end. */
async function serve(rows: Open, longestStall?: number): Promise<string> {
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
    sent = sendCsv(request, response, 'rows.csv', counted, longestStall).then(
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

/** An answer of which nothing has been taken yet. */
async function begin(url: string): Promise<IncomingMessage> {
  const [answer] = (await once(get(url), 'response')) as [IncomingMessage];
  return answer.on('error', () => {});
}

/** Rows without an end. */
const endless: Open = async function* () {
  for (;;) yield ROWS;
};

/** As a database that is busy: nothing comes until the signal. */
async function silence(signal: AbortSignal): Promise<void> {
  await once(signal, 'abort');
  signal.throwIfAborted();
}

it('sends what comes, as a file', async () => {
  const url = await serve(async function* () {
    yield Buffer.from('id\r\n');
    yield Buffer.from('1\r\n');
  });
  const answer = await fetch(url);
  expect(await answer.text()).toBe('id\r\n1\r\n');
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': 'attachment; filename=rows.csv',
    'cache-control': 'private, no-store',
  });
  expect([await sent, opened, closed]).toEqual(['done', 1, 1]);
});

it('answers HEAD with the same headers, and opens nothing', async () => {
  const answer = await fetch(await serve(endless), { method: 'HEAD' });
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename=rows.csv');
  expect([answer.status, await sent, opened]).toEqual([200, 'done', 0]);
});

it('ends the rows when the client goes away', async () => {
  const answer = await begin(await serve(endless));
  answer.destroy();
  expect([await sent, closed]).toEqual(['done', 1]);
});

it('ends rows that are waited for when the client goes away', async () => {
  const url = await serve(async function* (signal) {
    yield ROWS;
    await silence(signal);
  });
  const answer = await begin(url);
  answer.destroy();
  expect([await sent, closed]).toEqual(['done', 1]);
});

it('ends rows that have not begun when the client goes away', async () => {
  const begun = new AbortController();
  const beginning = once(begun.signal, 'abort');
  // oxlint-disable-next-line require-yield
  const url = await serve(async function* (signal) {
    begun.abort();
    await silence(signal);
  });
  const request = get(url).on('error', () => {});
  await beginning;
  request.destroy();
  expect([await sent, closed]).toEqual(['done', 1]);
});

it('cuts off a client who takes nothing for too long', async () => {
  const answer = await begin(await serve(endless, 100));
  expect([await sent, closed]).toEqual(['done', 1]);
  answer.resume();
  await new Promise((resolve) => answer.once('close', resolve));
  expect(answer.complete).toBe(false);
});

it('lets a client who takes a little now and then be', async () => {
  let chunks = 0;
  const url = await serve(async function* () {
    while (++chunks <= 10) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      yield ROWS;
    }
  }, 150);
  expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(10 * ROWS.length);
});

it('fails as 503 when the rows do not begin in time', async () => {
  // oxlint-disable-next-line require-yield
  const answer = await fetch(await serve(silenceAsRows, 50));
  expect(answer.status).toBe(503);
  expect(await sent).toMatchObject({ status: 503, code: 'unavailable' });
  expect(closed).toBe(1);
});

// oxlint-disable-next-line require-yield
const silenceAsRows: Open = async function* (signal) {
  await silence(signal);
};

it('throws what fails before the first row, with nothing said', async () => {
  const url = await serve(async function* () {
    await Promise.reject(new Error('no rows'));
    yield ROWS;
  });
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([503, null]);
  expect(await sent).toEqual(new Error('no rows'));
});

it('breaks the connection when the rows fail later', async () => {
  const url = await serve(async function* () {
    yield ROWS;
    throw new Error('no more rows');
  });
  const answer = await fetch(url);
  await expect(answer.text()).rejects.toThrow();
  expect([answer.status, await sent]).toEqual([200, new Error('no more rows')]);
});
