import { once } from 'node:events';
import { connect } from 'node:net';
import { FairTurns } from '../../src/platform/rate-limit/fair-turns';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

let test: TestApp;
beforeAll(async () => {
  test = await sharedTestApp();
});
afterAll(() => test.close());

it('a client that resets its connection while its handshake waits for a turn does no harm', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const turns = jest.spyOn(test.get(FairTurns), 'next').mockReturnValueOnce(promise);
  const { hostname, port } = new URL(test.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    'GET /socket/websocket?EIO=4&transport=websocket HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await until(() => turns.mock.calls.length === 1);
  socket.resetAndDestroy();
  // The service notices the reset before it answers the next connection.
  expect((await fetch(`${test.url}/healthz`)).status).toBe(200);
  turns.mockRestore();
  resolve();
  expect((await fetch(`${test.url}/healthz`)).status).toBe(200);
});

it('a client that sends requests without waiting for answers is refused when too many wait', async () => {
  const { hostname, port } = new URL(test.url);
  const socket = connect(Number(port), hostname);
  let answers = '';
  socket.on('data', (data) => (answers += data.toString('latin1')));
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(5000));
  await until(() => answers.includes(' 503 Service Unavailable'));
  expect(answers.slice(answers.indexOf(' 503 '))).toContain('"code":"unavailable"');
  socket.destroy();
  await until(() => test.get(FairTurns).waiting('127.0.0.1') === 0);
});
