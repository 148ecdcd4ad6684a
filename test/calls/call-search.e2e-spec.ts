import { Client } from 'pg';
import type { Json } from '../support/http/api';
import { expectStatus, TestTenant } from '../support/builders';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const FILLER_COUNT = 5000;

let test: TestApp;
let tenant: TestTenant;
let link: Json;

const PEOPLE = [
  { name: 'João Antônio', email: 'joao.antonio@example.com' },
  { name: 'Joa\u0303o Decomposed' },
  { name: "Conceição O'Brien", email: 'CON_1%@example.com' },
  { name: '100% Real \\ Straße' },
];

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  const other = await TestTenant.register(test);
  ({ link } = await tenant.queue());
  const otherQueue = await other.queue();
  for (const person of PEOPLE) {
    await tenant.join(link, person);
    // The same people as customers of another tenant.
    await other.join(otherQueue.link, person);
  }
  // Enough rows for the planner to prefer the index.
  await test.db.query(
    `INSERT INTO calls (tenant_id, status, department_name, customer_name, customer_email, estimated_wait_time,
       inserted_at, ended_at, updated_at)
     SELECT $1, 'missed', 'Gone', 'Filler ' || md5(n::text), 'filler' || n || '@bulk.example', 0, at, at, at
     FROM generate_series(1, ${FILLER_COUNT}) AS n, LATERAL (SELECT now() - make_interval(secs => n) AS at) AS past`,
    [tenant.id],
  );
  await test.db.query('ANALYZE calls, call_words');
});

afterAll(() => test.close());

async function searchNames(search: string): Promise<string[]> {
  const query = new URLSearchParams({ search, page_size: '100' });
  const answer = await tenant.owner.api.get(`/api/v1/calls?${query.toString()}`);
  expectStatus(answer, 200);
  expect(answer.body.meta.total_count).toBe(answer.body.data.length);
  return answer.body.data.map((call: Json) => call.customer_name.normalize().split(' ')[0]);
}

describe('searching calls', () => {
  it.each([
    ['joão', ['João', 'João']],
    ['JOAO', ['João', 'João']],
    ['antonio@example.com', ['João']],
    ['antonio joao.antonio', []],
    ['joao.ANTONIO@', ['João']],
    ['conceicao o', ['Conceição']],
    ['con_1%@', ['Conceição']],
    ['con_2', []],
    ['％', ['100%', 'Conceição']],
    ['real \\', ['100%']],
    ['strasse', ['100%']],
    ['antônio joao', []],
    ['no such customer', []],
  ])('finds %j regardless of case and accents', async (search, names) => {
    expect((await searchNames(search)).toSorted()).toEqual(names);
  });

  it('finds frequent words page by page, in the order of the list', async () => {
    const query = 'search=FILLER&sort_by=inserted_at&sort_order=desc&page_size=3';
    const emails = async (page: number) => {
      const { body } = await tenant.owner.api.get(`/api/v1/calls?${query}&page=${page}`);
      expect(body.meta.total_count).toBe(FILLER_COUNT);
      return body.data.map((call: Json) => call.customer_email.split('@')[0]);
    };
    expect(await emails(1)).toEqual(['filler1', 'filler2', 'filler3']);
    expect(await emails(2)).toEqual(['filler4', 'filler5', 'filler6']);
  });

  it('can be combined with other filters', async () => {
    const found = await tenant.owner.api.get('/api/v1/calls?search=joao&status=missed');
    expect(found.body.meta.total_count).toBe(0);
  });
});

/** Runs the search with the service's database role. @returns its result, and the plans of its queries */
async function searchAsService(scope: string, search: string): Promise<{ ids: string[]; plans: string[] }> {
  const client = new Client({ connectionString: test.databaseUrl });
  const plans: string[] = [];
  client.on('notice', ({ message = '' }) => plans.push(message));
  await client.connect();
  try {
    await client.query(
      `LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
       SET client_min_messages = log; SET ROLE video_queue_app; BEGIN`,
    );
    await client.query(scope);
    const { rows } = await client.query('SELECT search_calls($1, 1000) AS ids', [search]);
    return { ids: rows[0].ids, plans };
  } finally {
    await client.end();
  }
}

describe('with row-level security', () => {
  it.each(['João', 'no such customer'])('the search for %j uses its index', async (search) => {
    const { plans } = await searchAsService(`SET LOCAL app.tenant_id = '${tenant.id}'`, search);
    const plan = plans.find((text) => text.includes('FROM call_words')) ?? '';
    expect(plan).toMatch(/Bitmap Index Scan on call_words_search_idx/);
    expect(plan).toMatch(/Index Cond: \(\(tenant_id = .*\) AND \(words ~~ /);
    expect(plan).not.toContain('Seq Scan');
  });

  it.each(['SELECT', `SET LOCAL app.system = 'on'`])(
    'the search finds nothing without a tenant: %s',
    async (scope) => {
      expect((await searchAsService(scope, 'joao')).ids).toEqual([]);
    },
  );
});
