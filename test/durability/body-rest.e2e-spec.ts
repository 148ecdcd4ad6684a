import { once } from 'node:events';
import { connect } from 'node:net';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;

beforeAll(async () => {
  test = await sharedTestApp();
});

afterAll(() => test.close());

it('a body that never ends is given up 10 s after the response, also to a preflight of CORS', async () => {
  const { hostname, port } = new URL(test.url);
  const socket = connect(Number(port), hostname);
  // The service may reset the connection while a byte is on its way. events.once would reject on that error.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    `OPTIONS /api/v1/departments HTTP/1.1\r\nHost: ${hostname}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const [response] = (await once(socket, 'data')) as [Buffer];
  expect(response.toString()).toMatch(/^HTTP\/1\.1 204 /);
  // One byte a second keeps the connection from being idle.
  const sending = setInterval(() => socket.write('1\r\n \r\n'), 1000);
  await closed.finally(() => clearInterval(sending));
});
