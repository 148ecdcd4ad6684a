import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Lifecycle } from '../platform/http/lifecycle';
import { RequestDrain } from './request-drain';

let server: Server;
let drain: RequestDrain;
let url: string;
/** The responses that the test ends itself, in the order of the requests. */
let responses: ServerResponse[];

beforeEach(async () => {
  responses = [];
  server = createServer((_request, response) => responses.push(response));
  drain = new RequestDrain(new Lifecycle());
  drain.watch(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends a request and waits until it has arrived. @returns its answer */
async function send(signal: AbortSignal | null = null): Promise<{ answer: Promise<string> }> {
  const arrived = new Promise((resolve) => server.once('request', resolve));
  const answer = fetch(url, { signal }).then((response) => response.text());
  answer.catch(() => {});
  await arrived;
  return { answer };
}

it('does not wait without open requests', async () => {
  const { answer } = await send();
  responses[0]?.end('done');
  expect(await answer).toBe('done');
  await drain.waitUntilIdle();
});

it('waits until the last open request is answered or its client is gone', async () => {
  const client = new AbortController();
  const [first] = [await send(), await send(client.signal)];
  let isIdle = false;
  const idle = drain.waitUntilIdle().then(() => (isIdle = true));
  responses[0]?.end('done');
  await first?.answer;
  expect(isIdle).toBe(false);
  client.abort();
  await idle;
});

it('does not wait for requests that begin afterwards', async () => {
  const first = await send();
  const idle = drain.waitUntilIdle();
  await send();
  responses[0]?.end('done');
  await first.answer;
  await idle;
  expect(responses[1]?.writableEnded).toBe(false);
});
