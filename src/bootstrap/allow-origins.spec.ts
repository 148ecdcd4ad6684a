import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { allowOrigins } from './allow-origins';

const ORIGIN = 'https://shop.example';

async function headersOf(init: RequestInit): Promise<Record<string, string>> {
  const app = express().use(allowOrigins({ origin: [ORIGIN], exposedHeaders: 'X-Request-Id' }));
  const server = app.get('/', (_request, response) => void response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, init);
  server.close();
  return Object.fromEntries([...headers].filter(([name]) => name === 'vary' || name.startsWith('access-')));
}

describe('allowOrigins', () => {
  it('allows a known origin', async () => {
    expect(await headersOf({ headers: { origin: ORIGIN } })).toEqual({
      vary: 'Origin',
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers': 'X-Request-Id',
    });
  });

  it.each([
    ['another origin', { origin: 'https://other.example' }],
    ['no origin', {}],
  ])('allows nothing to %s, but tells caches that the response depends on it', async (_case, headers) => {
    const { vary, 'access-control-allow-origin': allowed } = await headersOf({ headers });
    expect([vary, allowed]).toEqual(['Origin', undefined]);
  });

  it('answers an OPTIONS request also without an origin', async () => {
    const headers = await headersOf({ method: 'OPTIONS' });
    expect(headers).toHaveProperty('access-control-allow-methods');
  });
});
