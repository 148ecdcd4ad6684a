import type { Json } from '../support/http/api';
import { actionsOf, auditedAbout } from '../support/contexts/audit-rows';
import { expectStatus, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const BATCH = '/api/v1/access-links/batch';

let test: TestApp;
let tenant: TestTenant;
let other: TestTenant;
let department: Json;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  other = await TestTenant.register(test);
  department = await tenant.department();
});

afterAll(() => test.close());

const createAll = (links: unknown) => tenant.owner.api.post(BATCH, { links });

async function countLinks(): Promise<number> {
  const { rows } = await test.db.query('SELECT count(*)::int AS count FROM access_links');
  return rows[0].count;
}

describe('a batch of links', () => {
  it('answers all of them in order, each with a token of its own', async () => {
    const labels = Array.from({ length: 500 }, (_, n) => `Letter ${n}`);
    const answer = await createAll(
      labels.map((label) => ({ department_id: department.id, label, max_uses: 1 })),
    );
    expect(answer.status).toBe(201);
    const links: Json[] = answer.body.data;
    expect(links.map(({ label }) => label)).toEqual(labels);
    expect(new Set(links.map(({ token }) => token)).size).toBe(500);
    expect(links[499]).toEqual(
      (await tenant.owner.api.get(`/api/v1/access-links/${links[499]?.id}`)).body.data,
    );
    expectStatus(await test.api.get(`/api/v1/call/${links[250]?.token}/validate`), 200);
    const { rows } = await test.db.query(
      `SELECT count(*)::int AS count FROM domain_events WHERE type = 'access_link.created' AND subject_id = ANY ($1)`,
      [links.map(({ id }) => id)],
    );
    expect(rows).toEqual([{ count: 500 }]);
  });

  it('is all or nothing, and names every field that is wrong', async () => {
    const before = await countLinks();
    const foreign = await other.department();
    const good = { department_id: department.id };
    const bad = [good, { department_id: foreign.id }, { ...good, customer_id: someId() }];
    const refusal = await createAll(bad);
    expectFailure(refusal, 422, { code: 'validation_failed' });
    expect(refusal.body.errors.fields).toEqual({
      'links.1.department_id': ['names a department that does not exist'],
      'links.2.customer_id': ['names a customer that does not exist'],
    });
    const past = new Date(test.clock.now().getTime() - 1000).toISOString();
    expectFailure(await createAll([good, { ...good, expires_at: past }]), 422, {
      field: 'links.1.expires_at',
    });
    expect(await countLinks()).toBe(before);
  });

  it.each<[string, unknown]>([
    ['no links', []],
    ['too many', Array.from({ length: 501 }, () => ({ department_id: someId() }))],
    ['no list', { department_id: someId() }],
    ['nothing', undefined],
    ['a link that is none', ['x']],
    ['a link without its department', [{ label: 'x' }]],
    ['a link of bad fields', [{ department_id: 'x', max_uses: 0 }]],
  ])('refuses %s', async (_what, links) => {
    expectFailure(await createAll(links), 422, { code: 'validation_failed' });
  });
});

describe('cancelling a link', () => {
  it('shuts it at once, and leaves whoever is in', async () => {
    const link = await tenant.link(department.id);
    const { call_id } = await tenant.join(link);
    const answer = await tenant.owner.api.post(`/api/v1/access-links/${link.id}/cancel`);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id: link.id, status: 'cancelled', use_count: 1 });
    expectFailure(await test.api.get(`/api/v1/call/${link.token}/validate`), 404, { code: 'invalid_link' });
    expectFailure(await test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Late' }), 404, {
      code: 'invalid_link',
    });
    expect((await test.api.get(`/api/v1/call/status/${call_id}`)).body.data.status).toBe('queued');
  });

  it('changes nothing the second time', async () => {
    const link = await tenant.link(department.id);
    const cancel = () => tenant.owner.api.post(`/api/v1/access-links/${link.id}/cancel`);
    const [one, two] = await Promise.all([cancel(), cancel()]);
    expect([one.status, two.status]).toEqual([200, 200]);
    const { rows } = await test.db.query(
      `SELECT count(*)::int AS count FROM domain_events WHERE type = 'access_link.cancelled' AND subject_id = $1`,
      [link.id],
    );
    expect(rows).toEqual([{ count: 1 }]);
    const actions = actionsOf(await auditedAbout(test, link.id));
    expect(actions).toEqual(['access_link.cancelled', 'access_link.created']);
  });

  it('is 404 for another tenant', async () => {
    const link = await tenant.link(department.id);
    expectFailure(await other.owner.api.post(`/api/v1/access-links/${link.id}/cancel`), 404);
    expectStatus(await test.api.get(`/api/v1/call/${link.token}/validate`), 200);
  });

  it('lets joins that race it in whole or not at all', async () => {
    const link = await tenant.link(department.id);
    const joins = Array.from({ length: 8 }, (_, n) =>
      test.api.post(`/api/v1/call/${link.token}/join`, { name: `Racer ${n}` }),
    );
    const cancel = tenant.owner.api.post(`/api/v1/access-links/${link.id}/cancel`);
    const statuses = (await Promise.all(joins)).map(({ status }) => status);
    expectStatus(await cancel, 200);
    expect(statuses.every((status) => status === 200 || status === 404)).toBe(true);
    const { rows } = await test.db.query(
      `SELECT l.use_count, (SELECT count(*)::int FROM calls c WHERE c.access_link_id = l.id) AS calls
       FROM access_links l WHERE l.id = $1`,
      [link.id],
    );
    const came = statuses.filter((status) => status === 200).length;
    expect(rows).toEqual([{ use_count: came, calls: came }]);
  });
});

const fetchCode = (id: string, token: string) =>
  fetch(`${test.url}/api/v1/access-links/${id}/qr.svg`, { headers: { authorization: `Bearer ${token}` } });

describe('the QR code of a link', () => {
  it('is a picture for print that does nothing', async () => {
    const link = await tenant.link(department.id);
    const answer = await fetchCode(link.id, tenant.owner.token);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    expect(await answer.text()).toMatch(/^<svg [^>]*viewBox=[^]*<\/svg>\s*$/);
  });

  it('is another one for another link, and 404 for another tenant', async () => {
    const [one, two] = [await tenant.link(department.id), await tenant.link(department.id)];
    const codes = await Promise.all(
      [one, two, one].map(async ({ id }) => (await fetchCode(id, tenant.owner.token)).text()),
    );
    expect(codes[0]).toBe(codes[2]);
    expect(codes[0]).not.toBe(codes[1]);
    expect((await fetchCode(one.id, other.owner.token)).status).toBe(404);
  });
});
