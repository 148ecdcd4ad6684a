import { createServer, request as send, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Request } from 'express';
import { UnreadBody } from './unread-body';

const server = createServer();
let outcome: Promise<string>;

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));

afterAll(() => server.close());

beforeEach(() => {
  outcome = outcomeOfNextRequest();
});

async function outcomeOfNextRequest(): Promise<string> {
  const [request, response] = (await once(server, 'request')) as [Request, ServerResponse];
  try {
    await new UnreadBody(request).refuse();
    return 'empty';
  } catch {
    return 'refused';
  } finally {
    response.end();
  }
}

/** A request whose body has no Content-Length. */
function open() {
  const { port } = server.address() as AddressInfo;
  const client = send({ port, method: 'POST', headers: { 'transfer-encoding': 'chunked' } });
  client.on('error', () => {});
  client.flushHeaders();
  return client;
}

it('refuses a body that turns out to have a byte', async () => {
  open().end('x');
  expect(await outcome).toBe('refused');
});

it('takes a body that turns out to be empty', async () => {
  open().end();
  expect(await outcome).toBe('empty');
});

it('does not take a request that its client aborts for one with an empty body', async () => {
  const client = open();
  await once(server, 'request');
  client.destroy();
  expect(await outcome).toBe('refused');
});
