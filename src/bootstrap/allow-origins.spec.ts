import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Request } from 'express';
import { allowOrigins } from './allow-origins';

const ORIGIN = 'https://shop.example';

const SITE = 'https://site.example';

const isAllowedSite = (origin: string, { path }: Request) =>
  Promise.resolve(origin === SITE && path === '/of-its-company');

async function headersOf(init: RequestInit, path = '/'): Promise<Record<string, string>> {
  const app = express().use(
    allowOrigins({ origin: [ORIGIN], exposedHeaders: 'X-Request-Id' }, isAllowedSite),
  );
  const server = app.get('/{*any}', (_request, response) => void response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);
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

  it('allows the site of a company where it is allowed, and its preflight', async () => {
    const headers = { origin: SITE, 'access-control-request-method': 'POST' };
    for (const method of ['GET', 'OPTIONS']) {
      const allowed = await headersOf({ method, headers }, '/of-its-company');
      expect(allowed).toMatchObject({
        vary: expect.stringMatching(/^Origin\b/),
        'access-control-allow-origin': SITE,
      });
      const refused = await headersOf({ method, headers });
      expect(refused).not.toHaveProperty('access-control-allow-origin');
      expect(refused.vary).toContain('Origin');
    }
  });

  it('answers an OPTIONS request also without an origin', async () => {
    const headers = await headersOf({ method: 'OPTIONS' });
    expect(headers).toHaveProperty('access-control-allow-methods');
  });
});
