import { fake } from '../../support/fake';
import { Call } from '../../../src/calls/call.entity';
import { CallTransitions } from '../../../src/calls/machine/call-transitions';
import { Queue } from '../../../src/calls/queue/queue';
import { Snapshots } from '../../../src/live/snapshots/snapshots';
import type { LiveSocket } from '../../../src/live/socket.types';
import { sentStatements } from '../../support/database/sent-statements';
import { Database } from '../../../src/platform/database/database';
import type { Statement } from '../../../src/platform/database/statement';
import { DeliveryQueue } from '../../../src/webhooks/deliveries/delivery-queue';
import { expectStatus, TestTenant } from '../../support/builders';
import { createWebhook } from '../../support/contexts/webhooks';
import { oneTo } from '../../support/database/rows';
import { startTestApp, type TestApp } from '../../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let callId: string;
let webhookId: string;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await TestTenant.register(test);
  const { department, link } = await tenant.queue();
  callId = (await tenant.join(link)).call_id;
  webhookId = (await createWebhook(tenant)).id;
  await insertRows(department.id);
});

afterAll(() => test.close());

/** Enough rows that reading a whole table would be slower than its indexes. */
async function insertRows(departmentId: string): Promise<void> {
  const { db } = test;
  // Without triggers and foreign keys, whose effects do not matter here.
  await db.query('SET session_replication_role = replica');
  await db.query(
    `INSERT INTO calls (tenant_id, status, department_id, department_name, user_id, user_name, customer_name,
       estimated_wait_time, rank_at, inserted_at, ended_at, updated_at)
     SELECT $1, CASE WHEN n % 20 = 0 THEN 'queued' ELSE 'missed' END,
       CASE WHEN n % 200 = 0 THEN $2::uuid ELSE gen_random_uuid() END, 'Support', CASE WHEN n % 20 > 0 THEN $3::uuid END,
       CASE WHEN n % 20 > 0 THEN 'Agent' END, 'Customer', 60, at, at, CASE WHEN n % 20 > 0 THEN at END, at
     FROM (SELECT n, now() - make_interval(mins => n) AS at FROM generate_series(1, 5000) n) past`,
    [tenant.id, departmentId, tenant.owner.id],
  );
  await db.query(
    `INSERT INTO users (tenant_id, email, name, password_hash, role)
     SELECT $1, n || '@users.example', 'User ' || n, '', 'attendant' FROM generate_series(1, 1000) n`,
    [tenant.id],
  );
  await db.query(
    'INSERT INTO presences (user_id, tenant_id) SELECT id, tenant_id FROM users ON CONFLICT DO NOTHING',
  );
  await db.query(
    `INSERT INTO connections (tenant_id, instance_id, socket_id, user_id)
     SELECT tenant_id, gen_random_uuid(), id::text, id FROM users`,
  );
  await db.query(
    `INSERT INTO webhook_deliveries (tenant_id, webhook_id, event, payload, status, inserted_at)
     SELECT $1, $2, 'department.created', '{}', 'delivered', now() FROM generate_series(1, 5000) n`,
    [tenant.id, webhookId],
  );
  await db.query('SET session_replication_role = DEFAULT; ANALYZE');
}

/** Does the work as often as it takes to prepare its statements. @returns the one that contains the text, as it was sent last */
async function preparedStatement(text: string, work: () => Promise<unknown>): Promise<Statement | undefined> {
  const sent = await sentStatements(test, async () => {
    for (const _ of oneTo(3)) await work();
  });
  const matching = sent.filter((statement) => statement.text.includes(text));
  return matching.find(({ name }) => name !== undefined) ?? matching.at(-1);
}

/** The plan that PostgreSQL would use for all values, for the role of the service. */
async function genericPlanOf({ text }: Statement): Promise<string> {
  // TypeORM sends it by the simple protocol, which needs no values of the parameters.
  const lines = await test
    .get(Database)
    .tenant<{ 'QUERY PLAN': string }[]>(tenant.id, (tx) =>
      tx.repository(Call).query(`EXPLAIN (GENERIC_PLAN) ${text}`),
    );
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

it.each<[string, string, () => Promise<unknown>, RegExp[]]>([
  [
    'the lock of a call',
    'FOR NO KEY UPDATE OF c',
    () => test.get(Database).tenant(tenant.id, (tx) => test.get(CallTransitions).lock(tx, tenant.id, callId)),
    [/Index Scan using calls_(pkey|tenant_key) on calls c/, /Index Cond: .*\bid = \$2/],
  ],
  [
    'positions in a queue',
    'asked_departments',
    () => Promise.all([callId, callId, callId].map((id) => test.get(Queue).positionOf(tenant.id, id))),
    [/Scan using calls_(pkey|tenant_key) on calls\b/, /Scan (using|on) calls_line_idx/],
  ],
  [
    'the position of one call',
    'AS queue_size',
    () => test.get(Queue).positionOf(tenant.id, callId),
    [/Index Scan using calls_pkey on calls c\b/, /Scan (using|on) calls_line_idx/],
  ],
  [
    'the presence of a user',
    'user_presence p',
    () => {
      const user = { tenant_id: tenant.id, user_id: tenant.owner.id, role: 'owner' };
      return test.get(Snapshots).of(fake<LiveSocket>({ data: { kind: 'staff', user } }));
    },
    [/using users_(pkey|tenant_key)/, /Index Cond: .*\bid = \$2/, /calls_live_idx/, /connections_user_idx/],
  ],
  [
    'the claim of deliveries',
    'UPDATE webhook_deliveries',
    () => test.get(DeliveryQueue).claim(webhookId),
    [/webhook_deliveries_due_idx/, /webhook_deliveries_claimed_idx/, /webhook_deliveries_pkey/],
  ],
])('the generic plan of %s uses indexes', async (_what, text, work, indexes) => {
  const statement = await preparedStatement(text, work);
  expect(statement?.name).toMatch(/^s\d+$/);
  const plan = await genericPlanOf(statement ?? { text: '' });
  for (const index of indexes) expect(plan).toMatch(index);
  expect(plan).not.toMatch(/Seq Scan on (calls|users|connections|webhook_deliveries)\b/);
});

it('the settings of a prepared page do not apply to the count of its list', async () => {
  const sent = await sentStatements(test, async () => {
    expectStatus(await tenant.owner.api.get('/api/v1/calls'), 200);
  });
  const firstWith = (text: string) => sent.findIndex((statement) => statement.text.includes(text));
  const [count, settings] = [firstWith('AS total_count'), firstWith('enable_sort')];
  expect(count).toBeGreaterThan(-1);
  expect(settings).toBe(count + 1);
  expect(sent[count]?.client).toBe(sent[settings]?.client);
  expect(sent[settings + 1]?.text).toContain('LIMIT 20');
});

// pg_stat_statements replaces the constants of SELECT by parameters, but not those of SET.
it('a read sets its scope by SELECT', async () => {
  const sent = await sentStatements(test, () =>
    test.get(Database).readTenant(tenant.id, [{ text: 'SELECT 1' }]),
  );
  const scope = `set_config('app.tenant_id', '${tenant.id}', true)`;
  const begin = sent.find(({ text }) => text.includes(scope))?.text;
  expect(begin).toContain(`BEGIN READ ONLY; SELECT ${scope}`);
  expect(begin).not.toMatch(/; SET /);
});
