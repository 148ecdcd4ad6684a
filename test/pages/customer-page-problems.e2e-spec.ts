import { FairTurns } from '../../src/platform/rate-limit/fair-turns';
import { TestTenant } from '../support/builders';
import { fromAddress, LOW_LIMITS, newAddress } from '../support/contexts/throttling';
import { openPage, visibleText } from '../support/http/page';
import { sharedTestApp } from '../support/shared-app';
import { startTestApp, type TestApp } from '../support/test-app';

const UNKNOWN = 'V1StGXR8_Z5jdHi6B-myTQ';

const pages = (count: number) => Array.from({ length: count });

let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});
afterAll(() => test.close());

/** Links that cannot be used, by the code of the reason. @returns the token */
const LINKS: Record<string, (departmentId: string) => Promise<string>> = {
  link_used: async (id) => {
    const link = await tenant.link(id, { max_uses: 1 });
    await tenant.join(link);
    return link.token;
  },
  link_expired: async (id) => {
    const expires_at = new Date(test.clock.now().getTime() + 60_000).toISOString();
    const { token } = await tenant.link(id, { expires_at });
    test.clock.advance(61);
    return token;
  },
  link_cancelled: async (id) => {
    const link = await tenant.link(id);
    await tenant.owner.api.post(`/api/v1/access-links/${link.id}/cancel`);
    return link.token;
  },
};

describe('the page of a link that cannot be used', () => {
  it.each(Object.entries(LINKS))('says %s, with the company', async (code, createLink) => {
    const { department } = await tenant.queue();
    const token = await createLink(department.id);
    const page = await openPage(test, `/c/${token}`);
    expect(page.status).toBe(404);
    expect(page.data).toMatchObject({
      token,
      link: null,
      error: { code, status: 404, request_id: page.headers.get('x-request-id') },
      company: { name: tenant.name },
    });
    expect(page.content).toContain('data-testid="error-title"');
    expect(visibleText(page.content)).toContain(tenant.name);
    expect(page.content).not.toContain('join-name');
  });

  it.each([
    UNKNOWN,
    '%00',
    '%3Cimg%20src=x%3E',
    'x'.repeat(5000),
    '',
    `${UNKNOWN}/further`,
    `${UNKNOWN}/button/further`,
    '%E0%A4%A',
    `${UNKNOWN}%`,
  ])('says invalid_link for %s', async (token) => {
    const page = await openPage(test, `/c/${token}`);
    expect(page.status).toBe(404);
    expect(page.data).toMatchObject({ link: null, error: { code: 'invalid_link' }, company: null });
    expect(page.content).toContain('data-testid="error-title"');
    expect(page.html).not.toContain('<img');
  });

  it('says from when the link of an appointment is valid', async () => {
    const { link } = await tenant.queue();
    const valid_from = new Date(test.clock.now().getTime() + 3_600_000);
    await test.db.query('UPDATE access_links SET valid_from = $2 WHERE id = $1', [link.id, valid_from]);
    const page = await openPage(test, `/c/${link.token}`);
    expect(page.status).toBe(404);
    expect(page.data.error).toMatchObject({
      code: 'link_not_yet_valid',
      valid_from: valid_from.toISOString(),
    });
  });
});

describe('pages under a rate limit', () => {
  let limited: TestApp;
  beforeAll(async () => (limited = await startTestApp({ env: LOW_LIMITS })));
  afterAll(() => limited.close());

  const PAGES = Number(LOW_LIMITS.PAGE_RATE_LIMIT);

  it('are still pages, and say when to come back', async () => {
    const { headers } = fromAddress(newAddress());
    const open = () => openPage(limited, `/c/${UNKNOWN}`, headers);
    for (const { status } of await Promise.all(pages(PAGES).map(open))) expect(status).toBe(404);
    const page = await open();
    expect(page.status).toBe(429);
    const retry_after = Number(page.headers.get('retry-after'));
    expect(retry_after).toBeGreaterThan(0);
    expect(page.data.error).toMatchObject({ code: 'rate_limited', status: 429, retry_after });
    expect(page.content).toContain('data-testid="error-title"');
  });

  it('are late, as other refusals of an address are, when it goes on', async () => {
    const { headers } = fromAddress(newAddress());
    const millisecondsOfRefusal = async () => {
      const begin = performance.now();
      const { status } = await fetch(`${limited.url}/c/${UNKNOWN}`, { headers });
      return status === 429 ? performance.now() - begin : undefined;
    };
    await Promise.all(pages(PAGES).map(millisecondsOfRefusal));
    const durations = await Promise.all(pages(40).map(millisecondsOfRefusal));
    expect(durations).not.toContain(undefined);
    expect(durations.filter((ms = 0) => ms > 700).length).toBeGreaterThan(10);
  });

  it('begin and are made in turns of their address, so that nobody waits for a flood of another one', async () => {
    const address = newAddress();
    const turns = jest.spyOn(limited.get(FairTurns), 'next');
    await openPage(limited, `/c/${UNKNOWN}`, fromAddress(address).headers);
    const count = turns.mock.calls.filter(([owner]) => owner === address).length;
    turns.mockRestore();
    expect(count).toBe(2);
  });

  it('leave the customers of an address the requests by which they join', async () => {
    const { headers } = fromAddress(newAddress());
    for (const path of [`/c/${UNKNOWN}`, `/call/${UNKNOWN}`]) {
      for (let n = 1; n <= Number(LOW_LIMITS.PUBLIC_RATE_LIMIT); n++) {
        const { status } = await fetch(limited.url + path, { headers, redirect: 'manual' });
        expect(status).not.toBe(429);
      }
    }
    const join = await limited.api.post(`/api/v1/call/${UNKNOWN}/join`, { name: 'Ana' }, { headers });
    expect(join.status).toBe(404);
  });
});
