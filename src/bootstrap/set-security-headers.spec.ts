import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { setSecurityHeaders } from './set-security-headers';

async function headersSetBy(middleware: RequestHandler): Promise<Record<string, string>> {
  const app = express().disable('x-powered-by').use(middleware);
  const server = app.get('/', (_request, response) => void response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.close();
  const { date: _, ...others } = Object.fromEntries(headers);
  return others;
}

describe('setSecurityHeaders', () => {
  it.each<[string, HelmetOptions]>([
    ['by default', {}],
    ['without TLS', { strictTransportSecurity: false }],
    ['with a policy', { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }],
  ])('sets the headers of Helmet %s', async (_case, options) => {
    const expected = await headersSetBy(helmet(options));
    expect(expected).toHaveProperty('content-security-policy');
    expect(await headersSetBy(setSecurityHeaders(options))).toEqual(expected);
  });
});
