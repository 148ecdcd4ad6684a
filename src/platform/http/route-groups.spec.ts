import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { RouteGroups } from './route-groups';

const answers =
  (name: string): RequestHandler =>
  (request, response) => {
    response.json({ name, ...request.params });
  };

/** Serves the routes. @returns what the service answers to a request, or the status if no route answers */
async function serve<T>(
  groups: RouteGroups,
  work: (send: (method: string, path: string) => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const app = express();
  app.use(groups.handler);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await work(async (method, path) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
      return response.status === 200 ? response.json() : response.status;
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

it.each([
  ['/api/v1/calls', true],
  ['/api/v1/calls/:id', true],
  ['/api/v1', false],
  ['/api/v1/:id', false],
  ['/docs', false],
  ['/docs/docs/swagger-ui-init.js', false],
  ['/api/v1/*path', false],
  [/^\/api\/v1\/calls/, false],
])('takes the route %s: %s', (path, isTaken) => {
  expect(new RouteGroups().add('get', path, answers('one'))).toBe(isTaken);
});

it('finds the route of a request as Express does', async () => {
  const groups = new RouteGroups();
  groups.add('get', '/api/v1/calls', answers('list'));
  groups.add('get', '/api/v1/calls/own', answers('own'));
  groups.add('get', '/api/v1/calls/:id', answers('details'));
  groups.add('post', '/api/v1/calls/:id/start', answers('start'));
  groups.add('get', '/api/v1/callbacks', answers('callbacks'));
  const requests = [
    'GET /api/v1/calls',
    'GET /api/v1/calls?page=2',
    'GET /API/v1/Calls/',
    'GET /api/v1/calls/own',
    'GET /api/v1/calls/7',
    'POST /api/v1/calls/7/start',
    'POST /api/v1/calls/7',
    'GET /api/v1/callbacks',
    'GET /api/v1/call',
    'GET /api/v1',
    'GET /',
  ];
  const seen = await serve(groups, async (send) => {
    const answered = [];
    for (const request of requests) {
      const [method = '', path = ''] = request.split(' ');
      answered.push(await send(method, path));
    }
    return answered;
  });
  expect(seen).toEqual([
    { name: 'list' },
    { name: 'list' },
    { name: 'list' },
    { name: 'own' },
    { name: 'details', id: '7' },
    { name: 'start', id: '7' },
    404,
    { name: 'callbacks' },
    404,
    404,
    404,
  ]);
});

it('shows the routes of all groups', () => {
  const groups = new RouteGroups();
  groups.add('get', '/api/v1/calls', answers('list'));
  groups.add('get', '/api/v1/tags', answers('tags'));
  expect(groups.handler.stack.map(({ route }) => route?.path)).toEqual(['/api/v1/calls', '/api/v1/tags']);
});
