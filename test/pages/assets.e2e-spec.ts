import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openPage } from '../support/http/page';
import { rawRequest } from '../support/http/raw-request';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;
/** The address of the console's script, which is large enough to be compressed. */
let script: string;

beforeAll(async () => {
  test = await sharedTestApp();
  const { html } = await openPage(test, '/console');
  script = /<script type="module" src="([^"]+)"/.exec(html)?.[1] ?? '';
});
afterAll(() => test.close());

const get = (path: string, headers?: Record<string, string>, method?: string) =>
  rawRequest(test.url, path, headers, method);

describe('an asset', () => {
  it.each<[string, string | undefined, (body: Buffer) => Buffer]>([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['identity', undefined, (body) => body],
  ])('is sent for Accept-Encoding %s as %s', async (accepted, encoding, decode) => {
    const plain = await get(script);
    const { status, headers, body } = await get(script, { 'accept-encoding': accepted });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['content-length']).toBe(String(body.length));
    expect(headers.vary).toContain('Accept-Encoding');
    expect(decode(body).equals(plain.body)).toBe(true);
  });

  it('never changes, and can be loaded into a frame of any site', async () => {
    const { headers } = await get(script);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('ratelimit');
  });

  it('answers HEAD without a body', async () => {
    const { status, headers, body } = await get(script, {}, 'HEAD');
    expect({ status, length: body.length }).toEqual({ status: 200, length: 0 });
    expect(Number(headers['content-length'])).toBeGreaterThan(0);
  });

  it.each([
    '/assets/missing-12345678.js',
    '/assets/',
    '/assets/..%2f.vite%2fcustomer.json',
    '/assets/../server/render.cjs',
    '/assets/%00',
  ])('that is missing is 404 and not cached: %s', async (path) => {
    const { status, headers, body } = await get(path, { accept: 'text/html' });
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(body.toString())).toEqual({
      errors: { detail: expect.any(String), code: 'not_found' },
    });
    expect(headers['cache-control']).not.toMatch(/immutable/);
  });

  it('has neither a source map nor a compressed file of its own', async () => {
    const names = [`${script}.map`, `${script}.br`, `${script}.gz`];
    for (const path of names)
      expect(await get(path)).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } });
    expect((await get(script)).body.toString()).not.toContain('sourceMappingURL');
  });
});
