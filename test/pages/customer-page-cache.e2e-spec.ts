import { CustomerCallActions } from '../../src/calls/customer/customer-call-actions';
import { PoolAdmission } from '../../src/platform/database/connections/pool-admission';
import { Database } from '../../src/platform/database/database';
import { requestContext } from '../../src/platform/logging/request-context';
import { LinkPages } from '../../src/pages/customer/link-pages';
import { expectStatus, TestTenant } from '../support/builders';
import { whileConnectionsAreHeld } from '../support/database/held-connections';
import type { Json } from '../support/http/api';
import { openPage } from '../support/http/page';
import { startTestApp, type TestApp } from '../support/test-app';

/** One of the connections is reserved for calls in progress. */
const POOL_SIZE = 5;

let test: TestApp;
let tenant: TestTenant;
let link: Json;

beforeAll(async () => {
  test = await startTestApp({ env: { DATABASE_POOL_SIZE: String(POOL_SIZE) }, asInProduction: true });
  tenant = await TestTenant.register(test);
  const settings = { privacy_text: 'What we keep.', language: 'pt-BR' };
  expectStatus(await tenant.owner.api.put('/api/v1/tenant', settings), 200);
});
beforeEach(async () => ({ link } = await tenant.queue()));
afterEach(() => jest.restoreAllMocks());
afterAll(() => test.close());

it('the pages of a link that are opened within two seconds share one reading, and each is of its visitor', async () => {
  const reading = jest.spyOn(test.get(CustomerCallActions), 'validate');
  test.clock.stop();
  const open = (query: string, language: string) =>
    openPage(test, `/c/${link.token}${query}`, { 'accept-language': language });
  const [english, spanish, panel, chosen, button] = await Promise.all([
    open('', 'en'),
    open('', 'es'),
    open('?embed', 'fr'),
    open('?lang=es', 'en'),
    open('/button', 'en'),
  ]);
  expect(reading).toHaveBeenCalledTimes(1);
  test.clock.resume();
  const pages = [english, spanish, panel, chosen, button];
  expect(pages.map(({ data }) => data.language)).toEqual(['en', 'es', 'pt', 'es', 'en']);
  const content = (page: typeof english) => page.html;
  expect(content(english)).toContain('<html lang="en"');
  expect(content(spanish)).toContain('<html lang="es"');
  for (const { data } of pages) expect(data.link.privacy_text).toBe('What we keep.');
  const nonces = pages.map(
    ({ headers }) => /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1],
  );
  expect(new Set(nonces).size).toBe(pages.length);
});

it('a cancelled link is shown as cancelled two seconds later at the latest, with the id of the own request', async () => {
  expect((await openPage(test, `/c/${link.token}`)).status).toBe(200);
  expectStatus(await tenant.owner.api.post(`/api/v1/access-links/${link.id}/cancel`), 200);
  test.clock.advance(2);
  test.clock.stop();
  const pages = [await openPage(test, `/c/${link.token}`), await openPage(test, `/c/${link.token}`)];
  test.clock.resume();
  for (const page of pages) {
    expect([page.status, page.data.error.code]).toEqual([404, 'link_cancelled']);
    expect(page.data.error.request_id).toBe(page.headers.get('x-request-id'));
  }
});

it('a link of one company never shows what is kept of another', async () => {
  const other = await TestTenant.register(test);
  const { link: otherLink } = await other.queue();
  const pages = await Promise.all([link, otherLink].map(({ token }) => openPage(test, `/c/${token}`)));
  expect(pages.map(({ data }) => data.link.company_name)).toEqual([tenant.name, other.name]);
});

it('is read for the others although the first visitor leaves', async () => {
  const first = new AbortController();
  const visit = (signal: AbortSignal) =>
    requestContext.run({ request_id: 'visit', address: '198.51.100.1', connection: 'public', signal }, () =>
      test.get(LinkPages).of(link.token),
    );
  const second = await whileConnectionsAreHeld(test, POOL_SIZE - 1, async () => {
    const left = visit(first.signal).catch(() => undefined);
    const waiting = visit(new AbortController().signal);
    first.abort(new Error('The client has left.'));
    await new Promise(setImmediate);
    void left;
    return { waiting };
  });
  expect((await second.waiting).company.name).toBe(tenant.name);
});

it('is read again for the others if the address of the first visitor does not get a connection in time', async () => {
  const visit = (waitMs: number) => {
    const public_deadline = performance.now() + waitMs;
    const context = {
      request_id: 'visit',
      address: '198.51.100.1',
      connection: 'public',
      public_deadline,
    } as const;
    return requestContext.run(context, () => test.get(LinkPages).of(link.token));
  };
  const { second } = await whileConnectionsAreHeld(test, POOL_SIZE - 1, async () => {
    const first = visit(50);
    const waiting = visit(20_000);
    await expect(first).rejects.toThrow('busy');
    return { second: waiting };
  });
  expect((await second).company.name).toBe(tenant.name);
});

it('of a token that nobody has costs one reading in two seconds', async () => {
  const reading = jest.spyOn(test.get(Database), 'readSystem');
  const readings = () =>
    reading.mock.calls.filter(([[first]]) => first?.text.includes('l.token = $1')).length;
  const open = async () => {
    expect((await openPage(test, '/c/V1StGXR8_Z5jdHi6B-myTQ')).status).toBe(404);
    return readings();
  };
  test.clock.stop();
  expect([await open(), await open()]).toEqual([1, 1]);
  test.clock.resume();
  test.clock.advance(2);
  expect(await open()).toBe(2);
});

it('names the same time as the header if the service is busy', async () => {
  jest.replaceProperty(test.get(PoolAdmission), 'publicWaitMs', 100);
  // Random times would be equal now and then.
  const pages = await whileConnectionsAreHeld(test, POOL_SIZE - 1, async () => {
    const opened = [];
    for (const _ of Array.from({ length: 3 })) opened.push(await openPage(test, `/c/${link.token}`));
    return opened;
  });
  for (const { status, headers, data } of pages) {
    expect(status).toBe(503);
    expect(data.error.retry_after).toBe(Number(headers.get('retry-after')));
  }
});
