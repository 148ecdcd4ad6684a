import { expectStatus, TestTenant } from '../support/builders';
import { fromAddress, LOW_LIMITS, newAddress } from '../support/contexts/throttling';
import { openPage, policyOf, visibleText } from '../support/http/page';
import { rawRequest } from '../support/http/raw-request';
import { sharedTestApp } from '../support/shared-app';
import { startTestApp, type TestApp } from '../support/test-app';

const SITE = 'https://shop.example.com';
const MAX_WIDGET_BYTES = 10_000;

let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  expectStatus(await tenant.owner.api.put('/api/v1/tenant', { allowed_sites: [SITE] }), 200);
});
afterAll(() => test.close());

describe('/widget.js', () => {
  it('is a small script that any page may load', async () => {
    const response = await fetch(`${test.url}/widget.js`);
    expect(response.status).toBe(200);
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(MAX_WIDGET_BYTES);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=600',
    });
  });

  it('is sent again only if it has changed', async () => {
    const { headers } = await rawRequest(test.url, '/widget.js');
    const get = (etag = '') => rawRequest(test.url, '/widget.js', { 'if-none-match': etag });
    const known = await get(headers.etag);
    expect({ status: known.status, length: known.body.length }).toEqual({ status: 304, length: 0 });
    expect((await get('W/"another"')).status).toBe(200);
  });
});

describe('the button of a link', () => {
  it('says how many are waiting, and can be framed by the sites of the company', async () => {
    const { link } = await tenant.queue();
    await tenant.join(link);
    const page = await openPage(test, `/c/${link.token}/button`);
    expect(page.status).toBe(200);
    expect(visibleText(page.content)).toBe('Talk by video 1 person waiting');
    expect(policyOf(page, 'frame-ancestors')).toEqual(["'self'", SITE]);
    expect(page.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(page.headers.get('permissions-policy')).toContain('camera=()');
    expect(page.data).toMatchObject({ token: link.token, sites: [SITE] });
  });

  it('leaves visitors of one address the requests that customers need', async () => {
    const limited = await startTestApp({ env: LOW_LIMITS });
    try {
      const { headers } = fromAddress(newAddress());
      const path = '/c/V1StGXR8_Z5jdHi6B-myTQ';
      for (let n = 0; n <= Number(LOW_LIMITS.PUBLIC_RATE_LIMIT); n++)
        expect((await openPage(limited, `${path}/button`, headers)).status).toBe(404);
      const join = await limited.api.post(
        '/api/v1/call/V1StGXR8_Z5jdHi6B-myTQ/join',
        { name: 'Ana' },
        { headers },
      );
      expect(join.status).toBe(404);
    } finally {
      await limited.close();
    }
  });

  it('works without the state if the link is no longer good: the page says why', async () => {
    const page = await openPage(test, '/c/V1StGXR8_Z5jdHi6B-myTQ/button?lang=es');
    expect(page.status).toBe(404);
    expect(visibleText(page.content)).toBe('Hablar por video');
  });
});

/** The scripts of a page by the names of their entries. */
const scriptsOf = async (path: string) =>
  [...(await openPage(test, path)).html.matchAll(/<script type="module" src="([^"]+)"/g)].map(
    ([, src = '']) => src.replace(/-[\w-]{8}\.js$/, ''),
  );

it('the page in the panel has the script that speaks to the widget', async () => {
  const { link } = await tenant.queue();
  expect(await scriptsOf(`/c/${link.token}`)).toEqual(['/assets/start', '/assets/customer']);
  expect(await scriptsOf(`/c/${link.token}?embed=1`)).toEqual([
    '/assets/start',
    '/assets/customer',
    '/assets/panel-page',
  ]);
});
