import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { limitBodyDuration } from './body-duration';

let server: Server;
let done: Promise<string>[];

beforeEach(async () => {
  done = [];
  const app = express().use(limitBodyDuration({ bodyMs: 100, restMs: 100 }));
  app.post('/early', (_request, response) => void response.status(413).end());
  app.post('/whole', (request, response) => {
    const reading = once(request.resume(), 'close').then(() => (request.complete ? 'complete' : 'aborted'));
    done.push(reading);
    request.once('end', () => response.end());
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends the head of a request with a body of 6 bytes, and the first three of them. */
async function begin(path: string, type: string) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const closed = once(socket.on('error', () => {}).resume(), 'close');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 6\r\n\r\nabc`);
  await once(server, 'request');
  return { socket, closed };
}

it('closes the connection of a body that does not end', async () => {
  const { closed } = await begin('/whole', 'application/json');
  await closed;
  expect(await done[0]).toBe('aborted');
});

it('accepts a body that ends in time', async () => {
  const { socket } = await begin('/whole', 'application/json');
  socket.write('def');
  expect(await done[0]).toBe('complete');
});

it.each(['multipart/form-data; boundary=x', 'application/offset+octet-stream'])(
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
  const { closed } = await begin('/early', 'multipart/form-data; boundary=x');
  await closed;
});
