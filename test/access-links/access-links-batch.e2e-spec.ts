import { documentedFetch } from '../support/http/documented-fetch';
import type { Json } from '../support/http/api';
import { actionsOf, auditedAbout } from '../support/contexts/audit-rows';
import { createCustomer } from '../support/contexts/appointments';
import { createSkill } from '../support/contexts/skills';
import { expectStatus, someId, TestTenant } from '../support/builders';
import { oneTo } from '../support/database/rows';
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

const createBatch = (links: unknown) => tenant.owner.api.post(BATCH, { links });

async function countLinks(): Promise<number> {
  const { rows } = await test.db.query('SELECT count(*)::int AS count FROM access_links');
  return rows[0].count;
}

describe('a batch of links', () => {
  it('returns all links in order, each with its own token', async () => {
    const labels = Array.from({ length: 500 }, (_, n) => `Letter ${n}`);
    const answer = await createBatch(
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

  it('may have as many links with all fields as fit into 256 KiB', async () => {
    const skills = await Promise.all(oneTo(20).map(() => createSkill(tenant)));
    const customer = await createCustomer(tenant);
    const links = oneTo(500).map((n) => ({
      department_id: department.id,
      customer_id: customer.id,
      label: `Letter ${n}`,
      max_uses: n,
      expires_at: '2099-01-31T12:00:00.000Z',
      priority: n % 10,
      skills: skills
        .slice(n % 17, (n % 17) + 4)
        .toSorted()
        .map((skill_id, index) => ({ skill_id, min_level: index + 1 })),
    }));
    const size = Buffer.byteLength(JSON.stringify({ links })) / 1024;
    expect(size).toBeGreaterThan(230);
    expect(size).toBeLessThanOrEqual(256);
    const answer = await createBatch(links);
    expectStatus(answer, 201);
    expect(answer.body.data).toMatchObject(links);
  });

  it('creates all links or none and names every invalid field', async () => {
    const before = await countLinks();
    const foreign = await other.department();
    const good = { department_id: department.id };
    const bad = [good, { department_id: foreign.id }, { ...good, customer_id: someId() }];
    const rejection = await createBatch(bad);
    expectFailure(rejection, 422, { code: 'validation_failed' });
    expect(rejection.body.errors.fields).toEqual({
      'links.1.department_id': ['names a department that does not exist'],
      'links.2.customer_id': ['names a customer that does not exist'],
    });
    const past = new Date(test.clock.now().getTime() - 1000).toISOString();
    expectFailure(await createBatch([good, { ...good, expires_at: past }]), 422, {
      field: 'links.1.expires_at',
    });
    expect(await countLinks()).toBe(before);
  });

  it('names invalid fields of a long list by their positions, in their order', async () => {
    const links: Json[] = oneTo(500).map(() => ({ department_id: department.id }));
    Object.assign(links[24] ?? {}, { max_uses: 0 });
    Object.assign(links[25] ?? {}, { label: 7, priority: 10 });
    Object.assign(links[499] ?? {}, { skills: [{ skill_id: 'x', min_level: 1 }] });
    const answer = await createBatch(links);
    expectFailure(answer, 422, { code: 'validation_failed' });
    const positions = ['24.max_uses', '25.label', '25.priority', '499.skills.0.skill_id'];
    expect(Object.keys(answer.body.errors.fields)).toEqual(positions.map((position) => `links.${position}`));
  });

  it.each<[string, unknown]>([
    ['an empty list', []],
    ['more than 500 links', Array.from({ length: 501 }, () => ({ department_id: someId() }))],
    ['an object instead of a list', { department_id: someId() }],
    ['a missing list', undefined],
    ['a string instead of a link', ['x']],
    ['an array instead of a link', [[]]],
    ['an array with a link instead of a link', [[{ department_id: someId() }]]],
    ['null instead of a link', [null]],
    ['a link without a department', [{ label: 'x' }]],
    ['a link with invalid fields', [{ department_id: 'x', max_uses: 0 }]],
  ])('rejects %s', async (_what, links) => {
    expectFailure(await createBatch(links), 422, { code: 'validation_failed' });
  });

  it('ignores unknown fields of a link', async () => {
    const answer = await createBatch([{ department_id: department.id, token: 'mine', use_count: 5 }]);
    expectStatus(answer, 201);
    expect(answer.body.data[0]).toMatchObject({ department_id: department.id, use_count: 0 });
    expect(answer.body.data[0].token).not.toBe('mine');
  });

  it.each<[string, (n: number) => Json]>([
    ['with unknown departments', () => ({ department_id: someId() })],
    ['with invalid fields', () => ({ department_id: 'x', label: 7, max_uses: 0, expires_at: 'never' })],
    ['that are no objects', (n) => [n]],
  ])('reports at most 20 invalid fields of links %s', async (_what, link) => {
    const answer = await createBatch(Array.from({ length: 500 }, (_, n) => link(n)));
    expectFailure(answer, 422, { code: 'validation_failed' });
    expect(Object.keys(answer.body.errors.fields)).toHaveLength(20);
  });
});

describe('cancelling a link', () => {
  it('invalidates the link at once and keeps the calls that used it', async () => {
    const link = await tenant.link(department.id);
    const { call_id } = await tenant.join(link);
    const answer = await tenant.owner.api.post(`/api/v1/access-links/${link.id}/cancel`);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id: link.id, status: 'cancelled', use_count: 1 });
    expectFailure(await test.api.get(`/api/v1/call/${link.token}/validate`), 404, { code: 'link_cancelled' });
    expectFailure(await test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Late' }), 404, {
      code: 'link_cancelled',
    });
    expect((await test.api.get(`/api/v1/call/status/${call_id}`)).body.data.status).toBe('queued');
  });

  it('changes nothing when it is repeated', async () => {
    const link = await tenant.link(department.id);
    const cancel = () => tenant.owner.api.post(`/api/v1/access-links/${link.id}/cancel`);
    const [first, second] = await Promise.all([cancel(), cancel()]);
    expect([first.status, second.status]).toEqual([200, 200]);
    const { rows } = await test.db.query(
      `SELECT count(*)::int AS count FROM domain_events WHERE type = 'access_link.cancelled' AND subject_id = $1`,
      [link.id],
    );
    expect(rows).toEqual([{ count: 1 }]);
    const actions = actionsOf(await auditedAbout(test, link.id));
    expect(actions).toEqual(['access_link.cancelled', 'access_link.created']);
  });

  it('answers 404 to another tenant', async () => {
    const link = await tenant.link(department.id);
    expectFailure(await other.owner.api.post(`/api/v1/access-links/${link.id}/cancel`), 404);
    expectStatus(await test.api.get(`/api/v1/call/${link.token}/validate`), 200);
  });

  it('accepts or rejects each concurrent join completely', async () => {
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
    const accepted = statuses.filter((status) => status === 200).length;
    expect(rows).toEqual([{ use_count: accepted, calls: accepted }]);
  });
});

const fetchQrCode = (id: string, token: string) =>
  documentedFetch(`${test.url}/api/v1/access-links/${id}/qr.svg`, {
    headers: { authorization: `Bearer ${token}` },
  });

describe('the QR code of a link', () => {
  it('is an SVG image that cannot run scripts', async () => {
    const link = await tenant.link(department.id);
    const answer = await fetchQrCode(link.id, tenant.owner.token);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    expect(await answer.text()).toMatch(/^<svg [^>]*viewBox=[^]*<\/svg>\s*$/);
  });

  it('differs between links and is 404 for another tenant', async () => {
    const [first, second] = [await tenant.link(department.id), await tenant.link(department.id)];
    const codes = await Promise.all(
      [first, second, first].map(async ({ id }) => (await fetchQrCode(id, tenant.owner.token)).text()),
    );
    expect(codes[0]).toBe(codes[2]);
    expect(codes[0]).not.toBe(codes[1]);
    expect((await fetchQrCode(first.id, other.owner.token)).status).toBe(404);
  });
});
