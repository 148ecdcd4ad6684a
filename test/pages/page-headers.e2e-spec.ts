import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectStatus, TestTenant } from '../support/builders';
import { openPage, type Page, policyOf } from '../support/http/page';
import { sharedTestApp } from '../support/shared-app';
import { startTestApp, type TestApp } from '../support/test-app';

const SITES = ['https://shop.example.com', 'http://localhost:8080'];
const LOGO = 'https://logos.example.com/l.png';
/** Of the build of the console: its files by the paths of their sources. */
const MANIFEST: Record<string, { file: string }> = JSON.parse(
  readFileSync(join(__dirname, '../../dist/web/.vite/console.json'), 'utf8'),
);

let test: TestApp;
let tenant: TestTenant;
let page: Page;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  const settings = { allowed_sites: SITES, logo_url: LOGO };
  expectStatus(await tenant.owner.api.put('/api/v1/tenant', settings), 200);
  const { link } = await tenant.queue();
  page = await openPage(test, `/c/${link.token}`);
});
afterAll(() => test.close());

describe("the customer's page", () => {
  it('is neither cached nor indexed, and its address stays in the browser', () => {
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(page.html).toContain('<meta name="robots" content="noindex,nofollow">');
  });

  it('can be framed by the sites of the company only', async () => {
    expect(policyOf(page, 'frame-ancestors')).toEqual(["'self'", ...SITES]);
    expect(page.headers.has('x-frame-options')).toBe(false);
    const unknown = await openPage(test, '/c/V1StGXR8_Z5jdHi6B-myTQ');
    expect(policyOf(unknown, 'frame-ancestors')).toEqual(["'self'"]);
  });

  it('runs its own scripts only, and no form leaves it', () => {
    expect(policyOf(page, 'script-src')).toEqual(["'self'"]);
    expect(policyOf(page, 'form-action')).toEqual(["'none'"]);
    expect(policyOf(page, 'object-src')).toEqual(["'none'"]);
    expect(policyOf(page, 'base-uri')).toEqual(["'none'"]);
    // Without an inline script or a style attribute, the policy breaks nothing.
    expect(page.html).not.toMatch(/<script>|\son\w+=|\sstyle=/);
  });

  it('has a style with a nonce of its own', async () => {
    const nonces = new Set<string | undefined>();
    for (const { html, headers } of [page, await openPage(test, `/c/${page.data.token}`)]) {
      const nonce = /<style nonce="([\w-]{20,})">/.exec(html)?.[1];
      expect(policyOf({ headers }, 'style-src')).toEqual(["'self'", `'nonce-${nonce}'`]);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(2);
  });

  it('reaches the socket, the logo, media and workers', () => {
    expect(policyOf(page, 'connect-src')).toEqual(["'self'", 'ws://localhost:3000']);
    expect(policyOf(page, 'img-src')).toEqual([
      "'self'",
      'data:',
      'blob:',
      'https://logos.example.com',
      'http://localhost:3000',
    ]);
    expect(policyOf(page, 'media-src')).toEqual(["'self'", 'blob:']);
    expect(policyOf(page, 'worker-src')).toEqual(["'self'", 'blob:']);
    expect(page.html).toContain(`<link rel="icon" href="${LOGO}">`);
  });

  it('may use camera, microphone and screen', () => {
    const permissions = page.headers.get('permissions-policy');
    for (const name of ['camera', 'microphone', 'display-capture', 'autoplay', 'picture-in-picture'])
      expect(permissions).toContain(`${name}=(self)`);
    expect(permissions).toContain('geolocation=()');
  });
});

it('uses https and wss behind a proxy with TLS', async () => {
  const secure = await startTestApp({ env: { PUBLIC_URL: 'https://calls.example.com' } });
  try {
    const opened = await openPage(secure, '/c/V1StGXR8_Z5jdHi6B-myTQ');
    expect(policyOf(opened, 'connect-src')).toEqual(["'self'", 'wss://calls.example.com']);
    expect(opened.headers.get('content-security-policy')).toContain(';upgrade-insecure-requests');
  } finally {
    await secure.close();
  }
});

describe('the console', () => {
  it('cannot be framed or translated, and its data has no link', async () => {
    const { headers, data, html } = await openPage(test, '/console', { 'accept-language': 'pt' });
    expect(policyOf({ headers }, 'frame-ancestors')).toEqual(["'none'"]);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(policyOf({ headers }, 'script-src')).toEqual(["'self'", "'wasm-unsafe-eval'"]);
    expect(data).toMatchObject({ language: 'pt', grace_seconds: 60 });
    expect(data).not.toHaveProperty('token');
    expect(html).toContain('<html lang="pt" translate="no">');
  });

  it.each(['en', 'pt', 'es'])(
    'names the modules of the line in %s, so that they are loaded beside the script',
    async (language) => {
      const [line, calls] = await Promise.all(
        ['/console', '/console/calls'].map((path) => preloadedBy(path, language)),
      );
      const texts = `console/texts/${language}.ts`;
      const ofLine = ['console/app/workplace-page.tsx', `console/features/queue/texts/${language}.ts`];
      expect(line).toEqual(expect.arrayContaining([texts, ...ofLine]));
      expect(calls).toContain(texts);
      for (const path of ofLine) expect(calls).not.toContain(path);
    },
  );
});

/** @returns the paths of the modules that a page lets the browser load beside its scripts */
async function preloadedBy(path: string, language: string): Promise<string[]> {
  const { html } = await openPage(test, path, { 'accept-language': language });
  const addresses = new Set(
    Array.from(html.matchAll(/<link rel="modulepreload" href="\/([^"]+)"/g), ([, address]) => address),
  );
  return Object.entries(MANIFEST).flatMap(([name, { file }]) => (addresses.has(file) ? name : []));
}
