import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Acceptors } from './acceptors';
import { StartupServer } from './startup-server';

const HOST = '127.0.0.1';

let server: Server;
let acceptors: Acceptors;
let startup: StartupServer;
let clients: Socket[];

beforeEach(async () => {
  server = createServer((_request, response) => response.end('answered'));
  acceptors = new Acceptors(server);
  startup = await StartupServer.listen({ port: 0, host: HOST });
  await acceptors.takeOver(startup);
  clients = [];
});

afterEach(async () => {
  for (const client of clients) client.destroy();
  const closed = acceptors.close();
  server.close();
  await closed;
});

const port = (): number => (server.address() as AddressInfo).port;

const url = () => `http://${HOST}:${port()}/`;

it('answer requests at any of the sockets', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, async () => (await fetch(url(), { headers: { connection: 'close' } })).text()),
  );
  expect(new Set(answers)).toEqual(new Set(['answered']));
});

it('accept several connections in a turn of the event loop', async () => {
  let accepted = 0;
  server.on('connection', () => accepted++);
  clients = Array.from({ length: 320 }, () => connect(port(), HOST).on('error', () => {}));
  await Promise.all(clients.map((client) => once(client, 'connect')));
  let turns = 0;
  for (; accepted < clients.length; turns++) await nextTurn();
  expect(turns).toBeLessThan(clients.length / 2);
});

it('refuse an address that is in use, also by sockets that share their port', async () => {
  await expect(StartupServer.listen({ port: port(), host: HOST })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});

it('accept no connection once they are closed', async () => {
  const used = url();
  const closed = acceptors.close();
  server.close();
  await closed;
  await expect(fetch(used)).rejects.toThrow('fetch failed');
});
