import { Client } from 'pg';
import type { Api, Json } from '../support/http/api';
import { expectStatus, TestTenant } from '../support/builders';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const PATH = '/api/v1/customers';
const FILLER_COUNT = 5000;

let test: TestApp;
let tenant: TestTenant;
let owner: Api;

const PEOPLE: Json[] = [
  {
    name: 'João Antônio de Müller',
    email: 'joao.muller@example.com',
    phone: '+55 11 91234-5678',
    document: '529.982.247-25',
  },
  { name: "Conceição O'Brien", email: 'CON_1%@example.com', phone: '(21) 3333-4444' },
  { name: 'Ångström Łukasz', phone: '5521988887777', document: '12ABC34501DE35' },
  { name: 'Joa\u0303o Decomposed', document: '12.DEF.345/01-99' },
  { name: 'Σωκράτης Иванов 山田' },
  { name: '100% Real \\ Straße' },
  { name: 'Xi' },
];

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  owner = tenant.owner.api;
  const other = await TestTenant.register(test);
  for (const customer of PEOPLE) {
    expectStatus(await owner.post(PATH, { customer }), 201);
    // The same people as customers of another tenant.
    expectStatus(await other.owner.api.post(PATH, { customer }), 201);
  }
  // Enough rows for the planner to prefer the index.
  await test.db.query(
    `INSERT INTO customers (tenant_id, name, email, phone, phone_normalized)
     SELECT $1, 'Filler ' || md5(n::text), 'filler' || n || '@bulk.example', '+1 202 ' || n, '+1202' || n
     FROM generate_series(1, ${FILLER_COUNT}) AS n`,
    [tenant.id],
  );
  await test.db.query('ANALYZE customers, customer_words');
});

afterAll(() => test.close());

async function searchNames(search: string, api = owner): Promise<string[]> {
  const answer = await api.get(`${PATH}?search=${encodeURIComponent(search)}&page_size=100`);
  expectStatus(answer, 200);
  expect(answer.body.meta.total_count).toBe(answer.body.data.length);
  return answer.body.data.map(({ name }: Json) => name.normalize().split(' ')[0]);
}

describe('searching customers', () => {
  it.each([
    ['joão', ['João', 'João']],
    ['JOAO', ['João', 'João']],
    ['joa\u0303o', ['João', 'João']],
    ['muller joao', ['João']],
    ['ANTONIO', ['João']],
    ['conceicao', ['Conceição']],
    ['CONCEIÇÃO', ['Conceição']],
    ["o'br", ['Conceição']],
    ['angstrom', ['Ångström']],
    ['LUKASZ', ['Ångström']],
    ['иван', ['Σωκράτης']],
    ['ΣΩΚΡΆΤΗΣ', ['Σωκράτης']],
    ['山田', ['Σωκράτης']],
    ['strasse', ['100%']],
    ['STRASSE real', ['100%']],
  ])('finds %j regardless of case and accents', async (search, names) => {
    expect((await searchNames(search)).toSorted()).toEqual(names.toSorted());
  });

  it.each([
    ['joao.muller@example.com', ['João']],
    ['MULLER@', ['João']],
    ['con_1%@example.com', ['Conceição']],
    ['11912345678', ['João']],
    ['91234-5678', ['João']],
    ['912345678', ['João']],
    ['+55 11 91234-5678', ['João']],
    ['+55 (11) 9.1234.5678', ['João']],
    ['(21) 98888-7777', ['Ångström']],
    ['+55-21-98888-7777', ['Ångström']],
    ['2133334444', ['Conceição']],
    ['529.982.247-25', ['João']],
    ['52998224725', ['João']],
    ['12.abc.345/01de-35', ['Ångström']],
    ['12def34501', ['João']],
    ['joao 5678', ['João']],
    ['joao 3333', []],
  ])('finds the e-mail, phone or document %j', async (search, names) => {
    expect(await searchNames(search)).toEqual(names);
  });

  it.each([
    ['%', ['100%', 'Conceição']],
    ['100%', ['100%']],
    ['%real', []],
    ['_', ['Conceição']],
    ['con_', ['Conceição']],
    ['joa_', []],
    ['\\', ['100%']],
    ['\\\\', []],
    ['x\\', []],
    // Full-width forms, which unaccent converts to the characters above.
    ['％', ['100%', 'Conceição']],
    ['＿', ['Conceição']],
    ['＼', ['100%']],
  ])('treats %j literally', async (search, names) => {
    expect((await searchNames(search)).toSorted()).toEqual(names);
  });

  it.each([
    ['xi', ['Xi']],
    ['Å', 'all'],
    ['ł', 'all'],
    ['山', ['Σωκράτης']],
    ['i', 'all'],
    [' ', 'all'],
    ['\u0301', 'all'],
  ])('accepts words of one or two characters: %j', async (search, names) => {
    const { body } = await owner.get(`${PATH}?search=${encodeURIComponent(search)}`);
    if (names === 'all') expect(body.meta.total_count).toBeGreaterThan(FILLER_COUNT);
    else expect(await searchNames(search)).toEqual(names);
  });

  it('can be combined with other filters, paging and sorting', async () => {
    const query = 'search=filler%20bulk.example&sort_by=phone&sort_order=desc&page_size=3&page=2';
    const { data, meta } = (await owner.get(`${PATH}?${query}`)).body;
    expect(meta.total_count).toBe(FILLER_COUNT);
    expect(data.map(({ phone }: Json) => phone)).toEqual(['+1 202 996', '+1 202 995', '+1 202 994']);
    expect(await searchNames('filler 999 filler1999')).toEqual(['Filler']);
    const dated = await owner.get(`${PATH}?search=filler&date_to=2000-01-01`);
    expect(dated.body.meta.total_count).toBe(0);
  });

  it('reflects changes and deletions', async () => {
    const { id } = (await owner.post(PATH, { name: 'Quirino', email: 'q@quirino.example' })).body.data;
    expect(await searchNames('quirino')).toEqual(['Quirino']);
    expectStatus(await owner.put(`${PATH}/${id}`, { name: 'Zenóbia', email: null, phone: '555-0199' }), 200);
    expect(await searchNames('quirino')).toEqual([]);
    expect(await searchNames('zenobia')).toEqual(['Zenóbia']);
    expect(await searchNames('5550199')).toEqual(['Zenóbia']);
    expectStatus(await owner.delete(`${PATH}/${id}`), 204);
    expect(await searchNames('zenobia')).toEqual([]);
  });

  it('finds no customers of other tenants', async () => {
    const stranger = await TestTenant.register(test);
    for (const search of ['joao', '%', 'i', '11912345678']) {
      expect(await searchNames(search, stranger.owner.api)).toEqual([]);
    }
  });
});

/** Runs work with the service's database role and emits its query plans as notices. */
async function asService<T>(scope: string[], work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: test.databaseUrl });
  await client.connect();
  try {
    await client.query(`LOAD 'auto_explain'`);
    await client.query(
      `SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
       SET client_min_messages = log; SET ROLE video_queue_app`,
    );
    await client.query('BEGIN');
    for (const setting of scope) await client.query(setting);
    return await work(client);
  } finally {
    await client.end();
  }
}

const tenantScope = () => [`SET LOCAL app.tenant_id = '${tenant.id}'`];

const search = (client: Client, word: string) =>
  client.query('SELECT * FROM search_customers($1)', [JSON.stringify([[word]])]);

describe('with row-level security', () => {
  it('the search uses its index', async () => {
    const plans: string[] = [];
    await asService(tenantScope(), async (client) => {
      client.on('notice', ({ message = '' }) => plans.push(message));
      expect((await search(client, 'João')).rowCount).toBe(2);
    });
    const plan = plans.find((text) => text.includes('FROM customer_words')) ?? '';
    expect(plan).toMatch(/Bitmap Index Scan on customer_words_search_idx/);
    expect(plan).toMatch(/Index Cond: \(\(tenant_id = .*\) AND \(words ~~ /);
    expect(plan).not.toContain('Seq Scan');
  });

  it('the lookup of a joining customer by e-mail uses its index', async () => {
    const rows = await asService(tenantScope(), async (client) => {
      const text = 'EXPLAIN SELECT id FROM customers WHERE tenant_id = $1 AND email_key = lower($2)';
      return (await client.query(text, [tenant.id, 'a@example.com'])).rows;
    });
    expect(JSON.stringify(rows)).toMatch(/Index Cond: \(\(tenant_id = .*\) AND \(email_key = /);
  });

  it('the lookup of a joining customer by phone uses its index', async () => {
    const rows = await asService(tenantScope(), async (client) => {
      const text = 'EXPLAIN SELECT id FROM customers WHERE tenant_id = $1 AND phone_normalized = $2';
      return (await client.query(text, [tenant.id, '+5511987654321'])).rows;
    });
    expect(JSON.stringify(rows)).toMatch(/Index Cond: \(\(tenant_id = .*\) AND \(phone_normalized = /);
  });

  it('the search for phones that are not normalized yet uses an index of phones', async () => {
    const rows = await asService([`SET LOCAL app.system = 'on'`], async (client) => {
      const text = `EXPLAIN SELECT id FROM customers WHERE phone IS NOT NULL AND phone_normalized IS NULL
        ORDER BY id LIMIT 500`;
      return (await client.query(text)).rows;
    });
    // PostgreSQL 18 can skip through the other index of phones.
    expect(JSON.stringify(rows)).toMatch(/customers_(typed|normalized)_phone_idx/);
    const indexes = await test.db.query(
      `SELECT FROM pg_indexes WHERE indexname = 'customers_typed_phone_idx'`,
    );
    expect(indexes.rowCount).toBe(1);
  });

  it('the search finds nothing without a tenant scope', async () => {
    for (const scope of [[], [`SET LOCAL app.system = 'on'`]]) {
      expect((await asService(scope, (client) => search(client, 'joao'))).rows).toEqual([]);
    }
  });

  it('the search does not restrict later queries of the transaction', async () => {
    const result = await asService(tenantScope(), async (client) => {
      await search(client, 'joao');
      return client.query('SELECT count(*)::int FROM customer_words');
    });
    expect(result.rows[0].count).toBeGreaterThan(FILLER_COUNT);
  });
});
