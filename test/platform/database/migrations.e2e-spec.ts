import { randomBytes } from 'node:crypto';
import type { DataSource, QueryRunner } from 'typeorm';
import { fake } from '../../support/fake';
import { VisibleAddresses1780000000105 } from '../../../migrations/0105-visible-addresses';
import { CancelledSubscriptions1780000000108 } from '../../../migrations/0108-cancelled-subscriptions';
import { WebhookEvents1780000000115 } from '../../../migrations/0115-webhook-events';
import { MIGRATIONS } from '../../../migrations/index';
import { migrationDataSource } from '../../../src/operator/migration/run-migrations';
import { asSuperuser, databaseUrl } from '../../support/database/database';

const database = `migrations_${randomBytes(6).toString('hex')}`;
const url = databaseUrl(database);

let source: DataSource;

beforeAll(async () => {
  await asSuperuser(databaseUrl('postgres'), (client) => client.query(`CREATE DATABASE ${database}`));
  source = await migrationDataSource(url).initialize();
  await source.runMigrations({ transaction: 'each' });
});

afterAll(async () => {
  await source.destroy();
  await asSuperuser(databaseUrl('postgres'), (client) => client.query(`DROP DATABASE ${database}`));
});

describe('the migrations', () => {
  it('produce the same schema after they were reverted and run again', async () => {
    const first = await schema();
    expect(first.length).toBeGreaterThan(200);

    for (const _ of MIGRATIONS) await source.undoLastMigration({ transaction: 'each' });
    expect((await schema()).filter((line) => !line.includes('migrations'))).toEqual([]);

    await source.runMigrations({ transaction: 'each' });
    expect(await schema()).toEqual(first);
    expect(await source.runMigrations()).toEqual([]);
  });

  it('are sorted by unique timestamps', () => {
    const timestamps = MIGRATIONS.map(({ name }) => Number(/\d{13}$/.exec(name)?.[0]));
    expect(timestamps).toEqual([...new Set(timestamps)].toSorted((one, next) => one - next));
  });

  it('convert the data that an earlier version stored', async () => {
    const steps = MIGRATIONS.length - 4;
    for (let n = 0; n < steps; n++) await source.undoLastMigration({ transaction: 'each' });
    const [{ id }] = await source.query(
      `INSERT INTO tenants (name, slug) VALUES ('Early', 'early') RETURNING id`,
    );
    await source.query(
      `INSERT INTO gateway_events (gateway, event_id, tenant_id, event, payment_id, payload, received_at)
       SELECT 'asaas', event, $1, event, 'pay_1', payload::jsonb, '2026-06-12T19:45:03Z'
       FROM unnest(ARRAY['PAYMENT_CONFIRMED', 'PAYMENT_OVERDUE', 'PAYMENT_REFUNDED', 'PAYMENT_CREATED', 'PAYMENT_DELETED',
         'PAYMENT_DUNNING_RECEIVED', 'PAYMENT_UPDATED', 'PAYMENT_CHARGEBACK_REQUESTED', 'PAYMENT_CHARGEBACK_DISPUTE']) AS event,
         (VALUES ('{"dateCreated": "2026-06-12 16:45:03", "payment": {"dueDate": "2026-06-20"}}')) AS sent (payload)`,
      [id],
    );
    await source.query(
      `WITH customer AS (
         INSERT INTO customers (tenant_id, name, phone) VALUES ($1, 'Éva', '+55 11'), ($1, 'Caio', NULL) RETURNING id, name)
       INSERT INTO calls (tenant_id, status, department_name, customer_id, customer_name, estimated_wait_time,
         inserted_at, updated_at, ended_at)
       SELECT $1, 'missed', 'Sales', id, name, 0, at, at, at
       FROM customer, unnest(ARRAY['2026-01-01', '2026-01-02']::timestamptz[]) AS at WHERE name = 'Éva'`,
      [id],
    );
    await source.runMigrations({ transaction: 'each' });
    const customers = await source.query(
      `SELECT name, call_count, last_call_at, words FROM customers JOIN customer_words ON customer_id = id
       WHERE customers.tenant_id = $1 ORDER BY name`,
      [id],
    );
    expect(customers).toEqual([
      { name: 'Caio', call_count: 0, last_call_at: null, words: 'CAIO' },
      {
        name: 'Éva',
        call_count: 2,
        last_call_at: new Date('2026-01-02T00:00:00Z'),
        words: 'EVA +55 11 5511',
      },
    ]);
    const kept = await source.query(
      `SELECT event, kind, correction, occurred_at FROM gateway_events WHERE tenant_id = $1 ORDER BY event`,
      [id],
    );
    const at = new Date('2026-06-12T19:45:03Z');
    expect(kept).toEqual([
      { event: 'PAYMENT_CHARGEBACK_DISPUTE', kind: 'other', correction: 'charged_back', occurred_at: at },
      { event: 'PAYMENT_CHARGEBACK_REQUESTED', kind: 'other', correction: 'charged_back', occurred_at: at },
      { event: 'PAYMENT_CONFIRMED', kind: 'paid', correction: null, occurred_at: at },
      { event: 'PAYMENT_CREATED', kind: 'other', correction: null, occurred_at: at },
      { event: 'PAYMENT_DELETED', kind: 'other', correction: 'deleted', occurred_at: at },
      { event: 'PAYMENT_DUNNING_RECEIVED', kind: 'paid', correction: null, occurred_at: at },
      { event: 'PAYMENT_OVERDUE', kind: 'overdue', correction: null, occurred_at: at },
      { event: 'PAYMENT_REFUNDED', kind: 'refunded', correction: null, occurred_at: at },
      { event: 'PAYMENT_UPDATED', kind: 'other', correction: 'rescheduled', occurred_at: at },
    ]);
    await source.query('DELETE FROM tenants WHERE id = $1', [id]);
  });

  it('remove invisible characters from addresses, unless another user has the same one', async () => {
    const since = MIGRATIONS.indexOf(VisibleAddresses1780000000105);
    for (let n = since; n < MIGRATIONS.length; n++) await source.undoLastMigration({ transaction: 'each' });
    const [{ id }] = await source.query(
      `INSERT INTO tenants (name, slug) VALUES ('Early', 'early') RETURNING id`,
    );
    const addresses = [
      '\u200bana@example.com',
      'b\u200bia@example.com',
      'b\u00adia@example.com',
      'caio@\u2060example.com',
    ];
    await source.query(
      `INSERT INTO users (tenant_id, name, email, role, inserted_at)
       SELECT $1, n::text, email, 'attendant', now() + n * interval '1 s'
       FROM unnest($2::text[]) WITH ORDINALITY AS given (email, n)`,
      [id, [...addresses, 'Caio@example.com']],
    );
    await source.query('INSERT INTO customers (tenant_id, name, email) SELECT $1, $2, unnest($3::text[])', [
      id,
      'Ana',
      ['a\u200bna@example.com', 'bia@example.com'],
    ]);
    await source.runMigrations({ transaction: 'each' });
    const emailsOf = async (table: string): Promise<string[]> => {
      const rows = await source.query(
        `SELECT email FROM ${table} WHERE tenant_id = $1 ORDER BY inserted_at, email`,
        [id],
      );
      return rows.map(({ email }: { email: string }) => email);
    };
    expect(await emailsOf('users')).toEqual([
      'ana@example.com',
      'bia@example.com',
      'b\u00adia@example.com',
      'caio@\u2060example.com',
      'Caio@example.com',
    ]);
    expect((await emailsOf('customers')).toSorted()).toEqual(['ana@example.com', 'bia@example.com']);
    await source.query('DELETE FROM tenants WHERE id = $1', [id]);
  });

  it('spell the status of a subscription anew, and back', async () => {
    const since = MIGRATIONS.indexOf(CancelledSubscriptions1780000000108);
    const undo = async () => {
      for (let n = since; n < MIGRATIONS.length; n++) await source.undoLastMigration({ transaction: 'each' });
    };
    const statusOf = async (): Promise<string> => {
      const [{ status }] = await source.query('SELECT status FROM subscriptions WHERE tenant_id = $1', [id]);
      return status;
    };
    await undo();
    const [{ id }] = await source.query(
      `INSERT INTO tenants (name, slug) VALUES ('Early', 'early') RETURNING id`,
    );
    await source.query(
      `INSERT INTO subscriptions (tenant_id, plan, status) VALUES ($1, 'basic', 'canceled')`,
      [id],
    );
    await source.runMigrations({ transaction: 'each' });
    expect(await statusOf()).toBe('cancelled');
    // Instances of the former release may still write it.
    await source.query(`UPDATE subscriptions SET status = 'canceled' WHERE tenant_id = $1`, [id]);
    await source.query(`UPDATE subscriptions SET status = 'cancelled' WHERE tenant_id = $1`, [id]);
    await expect(source.query(`UPDATE subscriptions SET status = 'ended'`)).rejects.toThrow('status_check');
    await undo();
    expect(await statusOf()).toBe('canceled');
    await source.runMigrations({ transaction: 'each' });
    await source.query('DELETE FROM tenants WHERE id = $1', [id]);
  });

  it('make the deliveries of stored events before they are reverted', async () => {
    const undo = async () => {
      const since = MIGRATIONS.indexOf(WebhookEvents1780000000115);
      for (let n = since; n < MIGRATIONS.length; n++) await source.undoLastMigration({ transaction: 'each' });
    };
    await undo();
    const [{ id }] = await source.query(
      `INSERT INTO tenants (name, slug) VALUES ('Early', 'early') RETURNING id`,
    );
    const webhooks = await source.query(
      `INSERT INTO webhooks (id, tenant_id, url, events, inserted_at, updated_at)
       SELECT gen_random_uuid(), $1, 'https://crm.example.com', '{call.rated}', now(), now() FROM generate_series(1, 2)
       RETURNING id`,
      [id],
    );
    const [one, other] = webhooks.map((webhook: { id: string }) => webhook.id);
    await source.query(
      `INSERT INTO webhook_deliveries (tenant_id, webhook_id, event, payload, status, next_attempt_at, inserted_at)
       VALUES ($1, $2, 'call.rated', '1', 'pending', now(), now()), ($1, $2, 'call.rated', '2', 'failed', NULL, now())`,
      [id, one],
    );
    await source.runMigrations({ transaction: 'each' });
    await source.query(
      `INSERT INTO webhook_events (tenant_id, event, payload, webhook_ids, inactive_webhook_ids, error, inserted_at)
       VALUES ($1, 'call.rated', '3', ARRAY[$2, gen_random_uuid()]::uuid[], ARRAY[$3]::uuid[], NULL, now()),
         ($1, 'call.rated', '4', ARRAY[$2]::uuid[], '{}', 'over', now()),
         ($1, 'call.rated', '5', ARRAY[$3]::uuid[], '{}', NULL, now())`,
      [id, one, other],
    );
    await source.query(
      `UPDATE webhooks SET active = false, disabled_at = now(), disabled_reason = 'backlog' WHERE id = $1`,
      [other],
    );
    await undo();
    const deliveries = await source.query(
      `SELECT payload::text::int AS n, webhook_id, status, error FROM webhook_deliveries ORDER BY n, status`,
    );
    expect(deliveries).toEqual([
      { n: 1, webhook_id: one, status: 'pending', error: null },
      { n: 2, webhook_id: one, status: 'failed', error: null },
      { n: 3, webhook_id: other, status: 'failed', error: 'the webhook is inactive' },
      { n: 3, webhook_id: one, status: 'pending', error: null },
      { n: 4, webhook_id: one, status: 'failed', error: 'over' },
    ]);
    await source.runMigrations({ transaction: 'each' });
    await source.query('DELETE FROM tenants WHERE id = $1', [id]);
  });

  it('keep the time and the reason of a disabled webhook', async () => {
    for (let n = 0; n < MIGRATIONS.length - 19; n++) await source.undoLastMigration({ transaction: 'each' });
    const [{ id }] = await source.query(
      `INSERT INTO tenants (name, slug) VALUES ('Early', 'early') RETURNING id`,
    );
    const disabled_at = new Date('2026-06-12T19:45:03Z');
    await source.query(
      `INSERT INTO webhooks (id, tenant_id, url, events, active, switched_off_at, switched_off_reason, inserted_at,
         updated_at)
       VALUES (gen_random_uuid(), $1, 'https://crm.example.com', '{call.rated}', false, $2, 'failing', $2, $2)`,
      [id, disabled_at],
    );
    await source.runMigrations({ transaction: 'each' });
    const webhooks = await source.query(
      'SELECT disabled_at, disabled_reason FROM webhooks WHERE tenant_id = $1',
      [id],
    );
    expect(webhooks).toEqual([{ disabled_at, disabled_reason: 'failing' }]);
    await source.query('DELETE FROM tenants WHERE id = $1', [id]);
  });

  it('keep the departments of calls, to which only assigned and active calls refer, until they are reverted after the deletion of a department', async () => {
    const undo = async () => {
      for (let n = 0; n < MIGRATIONS.length - 20; n++)
        await source.undoLastMigration({ transaction: 'each' });
    };
    await undo();
    const [{ id }] = await source.query(
      `INSERT INTO tenants (name, slug) VALUES ('Early', 'early') RETURNING id`,
    );
    const [kept, deleted] = await source.query(
      `INSERT INTO departments (tenant_id, name, identifier) SELECT $1, n, n FROM unnest(ARRAY['kept', 'deleted']) AS n
       RETURNING id, name`,
      [id],
    );
    await source.query(
      `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, estimated_wait_time,
         inserted_at, updated_at, ended_at)
       SELECT $1::uuid, 'missed', department_id, 'Sales', 'Caio', 0, now(), now(), now()
       FROM unnest($2::uuid[]) AS department_id
       UNION ALL SELECT $1::uuid, 'queued', $3::uuid, 'Sales', 'Ana', 0, now(), now(), NULL`,
      [id, [kept.id, deleted.id, null], kept.id],
    );
    const departments = async (column: string): Promise<string[]> => {
      const rows = await source.query(`SELECT ${column} AS id FROM calls WHERE tenant_id = $1`, [id]);
      return rows.map((row: { id: string | null }) => row.id).toSorted();
    };
    const [before, after, taken] = [
      [kept.id, kept.id, deleted.id, null],
      [kept.id, kept.id, null, null],
      [null, null, null, null],
    ].map((ids) => ids.toSorted());
    await source.runMigrations({ transaction: 'each' });
    expect(await departments('existing_department_id')).toEqual(taken);
    await source.query('DELETE FROM departments WHERE id = $1', [deleted.id]);
    expect(await departments('department_id')).toEqual(before);
    expect(await departments('existing_department_id')).toEqual(taken);
    await undo();
    expect(await departments('department_id')).toEqual(after);
    await source.runMigrations({ transaction: 'each' });
    await source.query('DELETE FROM tenants WHERE id = $1', [id]);
  });

  it('give waiting calls an entry in the line, active calls a part and users a state', async () => {
    for (let n = 0; n < MIGRATIONS.length - 39; n++) await source.undoLastMigration({ transaction: 'each' });
    const [{ id }] = await source.query(
      `INSERT INTO tenants (name, slug) VALUES ('Early', 'early') RETURNING id`,
    );
    const [agent] = await source.query(
      `INSERT INTO users (tenant_id, name, email, role) VALUES ($1, 'Ana', 'ana@early.example', 'attendant')
       RETURNING id`,
      [id],
    );
    const [department] = await source.query(
      `INSERT INTO departments (tenant_id, name, identifier) VALUES ($1, 'Sales', 'sales') RETURNING id`,
      [id],
    );
    const at = new Date('2026-06-12T19:45:03Z');
    const calls = await source.query(
      `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, estimated_wait_time,
         user_id, user_name, absent_since, inserted_at, started_at, updated_at, ended_at)
       SELECT $1, status, $2, 'Sales', 'Caio', 0, CASE WHEN status <> 'queued' THEN $3::uuid END, 'Ana',
         CASE WHEN status = 'queued' THEN $4::timestamptz END, $4, $4, $4,
         CASE WHEN status = 'completed' THEN $4::timestamptz END
       FROM unnest(ARRAY['queued', 'assigned', 'active', 'completed']) AS status RETURNING id, status`,
      [id, department.id, agent.id, at],
    );
    const idOf = (status: string) => calls.find((call: { status: string }) => call.status === status)?.id;
    await source.runMigrations({ transaction: 'each' });
    const ranks = await source.query(
      'SELECT status, rank_at FROM calls WHERE tenant_id = $1 ORDER BY status',
      [id],
    );
    expect(ranks).toEqual([
      { status: 'active', rank_at: at },
      { status: 'assigned', rank_at: at },
      { status: 'completed', rank_at: null },
      { status: 'queued', rank_at: at },
    ]);
    expect(await source.query('SELECT * FROM line_entries WHERE tenant_id = $1', [id])).toEqual([
      expect.objectContaining({
        call_id: idOf('queued'),
        department_id: department.id,
        first_at: Infinity,
        rank_at: at,
        present_until: new Date('2026-06-12T19:45:33Z'),
        skill_ids: [],
      }),
    ]);
    expect(await source.query('SELECT * FROM call_parts WHERE tenant_id = $1', [id])).toEqual([
      expect.objectContaining({
        call_id: idOf('active'),
        department_id: department.id,
        user_id: agent.id,
        user_name: 'Ana',
        started_at: at,
        ended_at: null,
      }),
    ]);
    const [presence] = await source.query('SELECT * FROM presences WHERE user_id = $1', [agent.id]);
    expect(presence).toMatchObject({ state: 'on_call', chosen: 'online', announced: 'offline' });
    await source.query('DELETE FROM tenants WHERE id = $1', [id]);
  });

  it('pause supervisors and above who take no calls, and keep those who have taken one in the last 30 days', async () => {
    const first = MIGRATIONS.findIndex(({ name }) => name.startsWith('NotTakingCalls'));
    const undo = async () => {
      for (let n = first; n < MIGRATIONS.length; n++) await source.undoLastMigration({ transaction: 'each' });
    };
    await undo();
    const [{ id }] = await source.query(
      `INSERT INTO tenants (name, slug) VALUES ('Calls', 'calls') RETURNING id`,
    );
    await source.query(
      `INSERT INTO users (tenant_id, name, email, role)
       SELECT $1, name, name || '@calls.example', split_part(name, ' ', 1)
       FROM unnest(ARRAY['attendant', 'manager', 'manager paused', 'owner calls', 'supervisor past']) AS name`,
      [id],
    );
    await source.query(
      `UPDATE presences SET chosen = 'away', reason = 'Lunch'
       WHERE user_id = (SELECT id FROM users WHERE tenant_id = $1 AND name = 'manager paused')`,
      [id],
    );
    await source.query(
      `INSERT INTO calls (tenant_id, status, department_name, customer_name, estimated_wait_time, user_id, inserted_at,
         started_at, updated_at)
       SELECT $1, 'active', 'Sales', 'Caio', 0, u.id, t.at, t.at, t.at
       FROM (VALUES ('owner calls', 29), ('supervisor past', 31)) AS v (name, days)
         JOIN users u ON u.tenant_id = $1 AND u.name = v.name
         CROSS JOIN LATERAL (SELECT now() - make_interval(days => v.days) AS at) t`,
      [id],
    );
    await source.query(
      `INSERT INTO call_parts (tenant_id, call_id, user_id, user_name, started_at, joined_at)
       SELECT c.tenant_id, c.id, c.user_id, 'Agent', c.started_at, c.started_at FROM calls c WHERE c.tenant_id = $1
       ON CONFLICT DO NOTHING`,
      [id],
    );
    const choices = () =>
      source.query(
        `SELECT u.name, p.chosen, p.reason FROM presences p JOIN users u ON u.id = p.user_id
         WHERE u.tenant_id = $1 ORDER BY u.name`,
        [id],
      );
    const before = await choices();
    await source.runMigrations({ transaction: 'each' });
    const notTaking = { chosen: 'away', reason: 'not_taking_calls' };
    expect(await choices()).toEqual([
      { name: 'attendant', chosen: 'online', reason: null },
      { name: 'manager', ...notTaking },
      { name: 'manager paused', chosen: 'away', reason: 'Lunch' },
      { name: 'owner calls', chosen: 'online', reason: null },
      { name: 'supervisor past', ...notTaking },
    ]);
    const unchosen = await source.query(
      `SELECT u.name FROM presences p JOIN users u ON u.id = p.user_id
       WHERE u.tenant_id = $1 AND p.chosen_at IS NULL ORDER BY u.name`,
      [id],
    );
    expect(unchosen).toEqual([{ name: 'manager' }, { name: 'supervisor past' }]);
    await undo();
    expect(await choices()).toEqual(before);
    await source.runMigrations({ transaction: 'each' });
    await source.query('DELETE FROM tenants WHERE id = $1', [id]);
  });

  // Generated names look like chosen ones, so each name must occur in the SQL of a migration.
  it('name every constraint and index explicitly', async () => {
    const sql = await statements();
    const { rows } = await asSuperuser(url, (client) =>
      client.query<{ kind: string; name: string; tab: string }>(
        `SELECT 'CONSTRAINT' AS kind, conname AS name, conrelid::regclass::text AS tab FROM pg_constraint
         WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
         UNION ALL SELECT 'INDEX', i.indexrelid::regclass::text, i.indrelid::regclass::text FROM pg_index i
         JOIN pg_class c ON c.oid = i.indexrelid AND c.relnamespace = 'public'::regnamespace
         WHERE NOT EXISTS (SELECT FROM pg_constraint o WHERE o.conindid = i.indexrelid)`,
      ),
    );
    const ours = rows.filter(({ tab }) => tab !== 'migrations');
    expect(ours.length).toBeGreaterThan(60);
    const unnamed = ours.filter(
      ({ kind, name }) => !new RegExp(`\\b${kind} (CONCURRENTLY )?"?${name}\\b`).test(sql),
    );
    expect(unnamed).toEqual([]);
    for (const { tab, name } of ours) expect(name).toMatch(new RegExp(`^${tab}_.*[a-z]$`));
  });
});

/** The SQL of all migrations. */
async function statements(): Promise<string> {
  const texts: string[] = [];
  const query = async (text: string) => {
    texts.push(text);
    return [];
  };
  const runner = fake<QueryRunner>({ query });
  for (const Migration of MIGRATIONS) await new Migration().up(runner);
  return texts.join('\n');
}

/** Describes every object of the schema, one per line. */
function schema(): Promise<string[]> {
  return asSuperuser(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(`
      SELECT format('column %s.%s %s %s %s', table_name, column_name, data_type, is_nullable,
        COALESCE(column_default, generation_expression)) AS line
        FROM information_schema.columns WHERE table_schema = 'public'
      UNION ALL SELECT format('constraint %s on %s: %s', conname, conrelid::regclass, pg_get_constraintdef(oid))
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT format('index %s', indexdef) FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT format('policy %s on %s: %s %s', policyname, tablename, qual, with_check) FROM pg_policies
      UNION ALL SELECT format('relation %s %s %s %s', relname, relkind, relrowsecurity, relforcerowsecurity)
        FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind <> 'i'
      UNION ALL SELECT format('function %s', proname) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
        -- Reverting keeps extensions, because other software may use them.
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = pg_proc.oid AND d.deptype = 'e')
      UNION ALL SELECT format('type %s', typname) FROM pg_type WHERE typnamespace = 'public'::regnamespace
        AND typtype IN ('e', 'd')
      ORDER BY line`);
    return rows.map(({ line }) => line);
  });
}
