import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const TOKEN = 'V1StGXR8_Z5jdHi6B-myTQ';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

let test: TestApp;

beforeAll(async () => (test = await sharedTestApp()));
afterAll(() => test.close());

const open = (path: string, accept?: string) =>
  fetch(`${test.url}${path}`, { redirect: 'manual', headers: accept === undefined ? {} : { accept } });

const locationOf = async (path: string) => (await open(path, BROWSER)).headers.get('location');

describe('/call/:token', () => {
  it.each<[string, string | undefined, number, string]>([
    ['a browser', BROWSER, 302, `/c/${TOKEN}`],
    ['a client that wants HTML after JSON', 'application/json, text/html;q=0.1', 302, `/c/${TOKEN}`],
    ['a client that refuses HTML', 'text/html;q=0, */*', 303, `/api/v1/call/${TOKEN}/validate`],
    ['a client that wants JSON', 'application/json', 303, `/api/v1/call/${TOKEN}/validate`],
    ['a client that wants anything', '*/*', 303, `/api/v1/call/${TOKEN}/validate`],
    ['a client that does not say', undefined, 303, `/api/v1/call/${TOKEN}/validate`],
  ])('redirects %s', async (_client, accept, status, location) => {
    const response = await open(`/call/${TOKEN}`, accept);
    expect(response.status).toBe(status);
    expect(response.headers.get('location')).toBe(location);
    expect(response.headers.get('vary')).toMatch(/\bAccept\b/);
  });

  it('keeps the query, and escapes what is no token', async () => {
    expect(await locationOf(`/call/${TOKEN}?lang=es`)).toBe(`/c/${TOKEN}?lang=es`);
    expect(await locationOf('/call/%2F%2Fevil.example')).toBe('/c/%2F%2Fevil.example');
    expect(await locationOf('/call/%E0%A4%A?lang=es')).toBe('/c/%25E0%25A4%25A?lang=es');
  });
});
