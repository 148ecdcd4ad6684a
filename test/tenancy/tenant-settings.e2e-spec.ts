import type { Json } from '../support/http/api';
import { expectStatus, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const TENANT = '/api/v1/tenant';

let test: TestApp;

beforeAll(async () => {
  test = await sharedTestApp();
});

afterAll(() => test.close());

/** Registers a tenant for one test, with functions to read and change its settings as a manager. */
async function registerCompany() {
  const tenant = await TestTenant.register(test);
  const { api } = await tenant.member('manager');
  return {
    tenant,
    get: async (): Promise<Json> => (await api.get(TENANT)).body.data,
    put: (body: unknown) => api.put(TENANT, body),
    /** The changed fields of every tenant.updated event, oldest first. */
    changedFields: async (): Promise<string[][]> => {
      const { rows } = await test.db.query(
        `SELECT subject_id, payload FROM domain_events
         WHERE tenant_id = $1 AND type = 'tenant.updated' ORDER BY id`,
        [tenant.id],
      );
      for (const row of rows) expect(row.subject_id).toBe(tenant.id);
      return rows.map(({ payload }) => payload.changed);
    },
  };
}

it.each(['GET', 'PUT'])('%s of the settings is allowed for managers and owners only', async (method) => {
  const { tenant } = await registerCompany();
  const body = method === 'PUT' ? { service_level_seconds: 30 } : undefined;
  expectFailure(await test.api.send(method, TENANT, { body }), 401);
  for (const role of ['attendant', 'supervisor'] as const) {
    const { api } = await tenant.member(role);
    expectFailure(await api.send(method, TENANT, { body }), 403, { code: 'forbidden' });
  }
  const { rows } = await test.db.query('SELECT service_level_seconds FROM tenants WHERE id = $1', [
    tenant.id,
  ]);
  expect(rows).toEqual([{ service_level_seconds: 20 }]);
  const { api } = await tenant.member('manager');
  for (const allowed of [api, tenant.owner.api]) {
    expectStatus(await allowed.send(method, TENANT, { body }), 200);
  }
});

describe('the tenant settings', () => {
  it('are not read for each request, but at once after a change and within 5 s after one by another process', async () => {
    const { tenant, get, put } = await registerCompany();
    const { name } = await get();
    const rename = (to: string) =>
      test.db.query('UPDATE tenants SET name = $2 WHERE id = $1', [tenant.id, to]);
    test.clock.stop();
    await rename('Changed by another process');
    expect((await get()).name).toBe(name);
    expectStatus(await put({ service_level_seconds: 40 }), 200);
    expect(await get()).toMatchObject({ name: 'Changed by another process', service_level_seconds: 40 });
    await rename('Changed again');
    test.clock.advance(5);
    expect((await get()).name).toBe('Changed again');
    test.clock.reset();
  });

  it('of a new tenant are the defaults', async () => {
    const { tenant, get } = await registerCompany();
    expect(await get()).toEqual({
      id: tenant.id,
      name: tenant.name,
      slug: tenant.slug,
      logo_url: null,
      primary_color: '#2563eb',
      language: 'pt-BR',
      timezone: 'America/Sao_Paulo',
      country: 'BR',
      privacy_url: null,
      privacy_text: null,
      restrict_attendants: false,
      mfa_required: false,
      allowed_sites: [],
      recording_retention_days: null,
      service_level_seconds: 20,
      pause_reasons: [],
      pause_after_missed_offer: true,
      alert_longest_wait: null,
      alert_nobody_available: false,
      inserted_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: expect.stringMatching(/\.\d{3}Z$/),
    });
  });

  it('change as sent and are stored in canonical form', async () => {
    const { get, put, changedFields } = await registerCompany();
    const before = await get();
    test.clock.advance(60);
    const answer = await put({
      name: ' Padaria Central ',
      logo_url: 'https://CDN.example.com/logo.png',
      primary_color: '#FF8800',
      language: 'EN-us',
      timezone: 'europe/lisbon',
      country: 'pt',
      privacy_url: 'https://WWW.example.com/privacy',
      privacy_text: ' We delete it\nafter a month. ',
      restrict_attendants: true,
      allowed_sites: ['https://Shop.example.com/x', 'http://localhost:5173', 'https://shop.example.com:443'],
      recording_retention_days: 36_500,
      service_level_seconds: 86_400,
      pause_reasons: [' Almoço ', 'Training', 'Almoço', 'training'],
      pause_after_missed_offer: false,
      alert_longest_wait: 86_400,
      alert_nobody_available: true,
    });
    expectStatus(answer, 200);
    expect(answer.body.data).toEqual({
      ...before,
      name: 'Padaria Central',
      logo_url: 'https://cdn.example.com/logo.png',
      primary_color: '#ff8800',
      language: 'en-US',
      timezone: 'europe/lisbon',
      country: 'PT',
      privacy_url: 'https://www.example.com/privacy',
      privacy_text: 'We delete it\nafter a month.',
      restrict_attendants: true,
      allowed_sites: ['https://shop.example.com', 'http://localhost:5173'],
      recording_retention_days: 36_500,
      service_level_seconds: 86_400,
      pause_reasons: ['Almoço', 'Training', 'training'],
      pause_after_missed_offer: false,
      alert_longest_wait: 86_400,
      alert_nobody_available: true,
      updated_at: expect.any(String),
    });
    expect(Date.parse(answer.body.data.updated_at)).toBeGreaterThanOrEqual(
      Date.parse(before.updated_at) + 59_000,
    );
    expect(await get()).toEqual(answer.body.data);
    expect((await changedFields()).map((names) => names.toSorted())).toEqual([
      [
        'alert_longest_wait',
        'alert_nobody_available',
        'allowed_sites',
        'country',
        'language',
        'logo_url',
        'name',
        'pause_after_missed_offer',
        'pause_reasons',
        'primary_color',
        'privacy_text',
        'privacy_url',
        'recording_retention_days',
        'restrict_attendants',
        'service_level_seconds',
        'timezone',
      ],
    ]);
  });

  it('may be sent wrapped, and null removes optional ones', async () => {
    const { put, changedFields } = await registerCompany();
    const set = {
      recording_retention_days: 30,
      logo_url: 'https://cdn.example.com/a.png',
      alert_longest_wait: 300,
    };
    expect((await put({ tenant: set })).body.data).toMatchObject(set);
    const removed = { recording_retention_days: null, logo_url: null, alert_longest_wait: null };
    expect((await put({ tenant: removed })).body.data).toMatchObject(removed);
    expect((await put({ allowed_sites: ['https://a.example'] })).body.data.allowed_sites).toHaveLength(1);
    expect((await put({ allowed_sites: [] })).body.data.allowed_sites).toEqual([]);
    expect(await changedFields()).toHaveLength(4);
  });

  it('do not change when a client sends them back, or sends id, slug or unknown fields', async () => {
    const { get, put, changedFields } = await registerCompany();
    expectStatus(await put({ allowed_sites: ['https://a.example'], language: 'en' }), 200);
    const before = await get();
    test.clock.advance(60);
    for (const body of [
      before,
      {},
      { ...before, id: crypto.randomUUID(), slug: 'another', inserted_at: '2020-01-01', document: '1' },
      { primary_color: '#2563EB', language: 'EN', allowed_sites: ['https://A.example/'] },
      { suspended_at: '2026-01-01T00:00:00.000Z' },
    ]) {
      const answer = await put(body);
      expect([answer.status, answer.body.data]).toEqual([200, before]);
    }
    expect(await changedFields()).toEqual(
      [['language', 'allowed_sites']].map((names) => expect.arrayContaining(names)),
    );
  });

  it('that changed are the only ones in the event', async () => {
    const { put, changedFields } = await registerCompany();
    expectStatus(await put({ language: 'pt-BR', service_level_seconds: 45, mfa_required: false }), 200);
    expect(await changedFields()).toEqual([['service_level_seconds']]);
  });

  it('of one tenant cannot be changed by another', async () => {
    const { tenant, get, put } = await registerCompany();
    const other = await registerCompany();
    const before = await other.get();
    expectStatus(await put({ name: 'Mine', id: other.tenant.id, tenant_id: other.tenant.id }), 200);
    expect(await get()).toMatchObject({ id: tenant.id, name: 'Mine' });
    expect(await other.get()).toEqual(before);
  });

  it('name, primary_color and logo_url reach the customer', async () => {
    const { tenant, put } = await registerCompany();
    const { link } = await tenant.queue();
    const logo_url = 'https://cdn.example.com/logo.png';
    expectStatus(await put({ name: 'Novo Nome', primary_color: '#010203', logo_url }), 200);
    const answer = await test.api.get(`/api/v1/call/${link.token}/validate`);
    expect(answer.body.data).toMatchObject({
      company_name: 'Novo Nome',
      primary_color: '#010203',
      company_logo_url: logo_url,
    });
  });

  it('has no privacy notice when its fields are emptied', async () => {
    const { put } = await registerCompany();
    await put({ privacy_url: 'https://a.example/', privacy_text: 'Text' });
    const { data } = (await put({ privacy_url: '', privacy_text: ' ' })).body;
    expect(data).toMatchObject({ privacy_url: null, privacy_text: null });
  });

  it('are all stored when different ones change at once', async () => {
    const { get, put, changedFields } = await registerCompany();
    const all = {
      name: 'At once',
      primary_color: '#0a0b0c',
      language: 'es',
      timezone: 'UTC',
      privacy_url: 'https://a.example/',
      privacy_text: 'Text',
      restrict_attendants: true,
      allowed_sites: ['https://a.example'],
      recording_retention_days: 7,
      service_level_seconds: 7,
      pause_reasons: ['Lunch'],
      pause_after_missed_offer: false,
      alert_longest_wait: 7,
      alert_nobody_available: true,
      logo_url: 'https://cdn.example.com/x.png',
    };
    const answers = await Promise.all(Object.entries(all).map(([name, value]) => put({ [name]: value })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await get()).toMatchObject(all);
    expect((await changedFields()).flat().toSorted()).toEqual(Object.keys(all).toSorted());
  });

  it('produce one event when the same change is sent several times at once', async () => {
    const { put, changedFields } = await registerCompany();
    await Promise.all(Array.from({ length: 6 }, () => put({ name: 'Only once' })));
    expect(await changedFields()).toEqual([['name']]);
  });
});

describe('an invalid setting is rejected with 422 and changes nothing', () => {
  let company: Awaited<ReturnType<typeof registerCompany>>;

  beforeAll(async () => {
    company = await registerCompany();
  });

  const invalidSettings: [string, unknown][] = [
    ['name', null],
    ['name', ''],
    ['name', '  '],
    ['name', 7],
    ['name', 'x'.repeat(256)],
    ['logo_url', 7],
    ['logo_url', 'logo.png'],
    ['logo_url', '/api/v1/logos/x.png'],
    ['logo_url', 'http://cdn.example.com/logo.png'],
    ['logo_url', 'javascript:alert(1)'],
    ['logo_url', `https://cdn.example.com/${'x'.repeat(2000)}`],
    ['primary_color', null],
    ['primary_color', 'red'],
    ['primary_color', '#abc'],
    ['primary_color', '#2563eb00'],
    ['primary_color', '#2563eb;}body{display:none'],
    ['language', null],
    ['language', 'pt_BR'],
    ['language', 'x'.repeat(300)],
    ['country', null],
    ['country', ''],
    ['country', 'ZZ'],
    ['country', 'BRA'],
    ['country', 'Brazil'],
    ['country', 55],
    ['timezone', null],
    ['timezone', 'Mars/Olympus'],
    ['timezone', '+03:00'],
    ['timezone', 'IST'],
    ['timezone', 'posix/America/Sao_Paulo'],
    ['timezone', 'localtime'],
    ['timezone', 'America/Sao_Paulo%'],
    ['privacy_url', 'javascript:alert(1)'],
    ['privacy_url', 'www.example.com'],
    ['privacy_url', 'http://www.example.com'],
    ['privacy_url', `https://a.example/${'x'.repeat(2000)}`],
    ['privacy_url', 7],
    ['privacy_text', 'x'.repeat(501)],
    ['privacy_text', ['x']],
    ['restrict_attendants', null],
    ['restrict_attendants', 'true'],
    ['mfa_required', null],
    ['mfa_required', 1],
    ['allowed_sites', null],
    ['allowed_sites', 'https://a.example'],
    ['allowed_sites', [null]],
    ['allowed_sites', [7]],
    ['allowed_sites', [['https://a.example']]],
    ['allowed_sites', ['http://a.example']],
    ['allowed_sites', ['https://*.example']],
    ['allowed_sites', Array.from({ length: 51 }, (_, index) => `https://s${index}.example`)],
    ['recording_retention_days', 0],
    ['recording_retention_days', 36_501],
    ['recording_retention_days', 1.5],
    ['recording_retention_days', '30'],
    ['service_level_seconds', null],
    ['service_level_seconds', 0],
    ['service_level_seconds', 86_401],
    ['pause_reasons', null],
    ['pause_reasons', 'Lunch'],
    ['pause_reasons', [null]],
    ['pause_reasons', [7]],
    ['pause_reasons', [['Lunch']]],
    ['pause_reasons', ['Lunch', ' ']],
    ['pause_reasons', ['x'.repeat(101)]],
    ['pause_reasons', Array.from({ length: 21 }, (_, index) => `Reason ${index}`)],
    ['pause_reasons', ['Lunch', 'missed_offer']],
    ['pause_reasons', ['Missed_Offer']],
    ['pause_after_missed_offer', null],
    ['pause_after_missed_offer', 'no'],
    ['alert_longest_wait', 0],
    ['alert_longest_wait', 86_401],
    ['alert_longest_wait', '300'],
    ['alert_nobody_available', null],
    ['alert_nobody_available', 1],
  ];

  it.each(
    invalidSettings.map(([field, value]) => ({ field, value, shown: JSON.stringify(value).slice(0, 60) })),
  )('$field = $shown', async ({ field, value }) => {
    const { get, put, changedFields } = company;
    const before = await get();
    const answer = await put({ service_level_seconds: 33, [field]: value });
    expectFailure(answer, 422, { code: 'validation_failed', field });
    expect(await get()).toEqual(before);
    expect(await changedFields()).toEqual([]);
  });
});
