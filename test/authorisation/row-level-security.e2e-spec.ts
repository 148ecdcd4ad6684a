import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, escapeIdentifier, Pool, type PoolClient } from 'pg';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/platform/database/embedded/embedded-postgres';
import { Database } from '../../src/platform/database/database';
import { prepareDatabase } from '../../src/operator/migration/prepare-database';
import { sessionSettings } from '../../src/platform/database/connections/session-settings';
import { someId, type TestTenant } from '../support/builders';
import { UNSAFE_BUT_FAST } from '../support/database/debian-postgres';
import { refreshViews } from '../support/contexts/refresh-views';
import { type TenantTable, tenantTables } from '../support/contexts/tenant-tables';
import { createFullTenant, closeSockets, GATEWAY_TOKEN } from '../support/authorisation/tenant-data';
import { holdEvents } from '../support/contexts/webhooks';
import { startTestApp, type TestApp } from '../support/test-app';

const INSUFFICIENT_PRIVILEGE = { code: '42501' };
const MATERIALIZED_VIEWS = [
  'agent_hour_sums',
  'agent_offer_days',
  'agent_part_days',
  'agent_state_days',
  'call_hour_sums',
  'view_states',
];
/** Views with the rights of their owner: their queries filter by tenant. The previous release reads the last ones. */
const REPORT_VIEWS = [...MATERIALIZED_VIEWS, 'agent_hours', 'call_hours', 'presence_days'].sort();
/** A separate server: roles belong to a server, and the first start on a new one is tested here. */
let server: EmbeddedPostgres;
const dataDir = mkdtempSync(join(tmpdir(), 'video-queue-roles-'));

beforeAll(async () => {
  server = await startEmbeddedPostgres(dataDir, 'postgres', UNSAFE_BUT_FAST);
});

afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe.each([
  ['a plain login with CREATEROLE', 'role-maker', 'LOGIN CREATEROLE', 'role_maker_service'],
  ['a plain login', 'Plain "Login" 1', 'LOGIN', 'Plain "Login" 1'],
  ['a superuser', 'boss', 'LOGIN SUPERUSER', 'boss_service'],
])('row-level security with %s in DATABASE_URL', (_who, login, rights, expectedRole) => {
  let url: string;
  let superuser: Client;
  let test: TestApp;
  let pool: Pool;
  let tables: TenantTable[];
  let own: TestTenant;
  let other: TestTenant;

  beforeAll(async () => {
    ({ url, superuser } = await createDatabase(login, rights));
    const databaseRole = await prepareDatabase(url);
    expect(databaseRole).toBe(expectedRole);
    // A second start, of this or another instance, has the same result.
    expect(await prepareDatabase(url)).toBe(expectedRole);
    test = await startTestApp({
      databaseUrl: url,
      databaseRole,
      env: { ASAAS_WEBHOOK_TOKEN: GATEWAY_TOKEN },
    });
    own = await createFullTenant(test, superuser);
    other = await createFullTenant(test, superuser);
    for (const tenant of [own, other]) {
      // Until the connection ends, no instance makes its deliveries and deletes it.
      await holdEvents(superuser, tenant);
      await superuser.query(
        `INSERT INTO webhook_events (tenant_id, event, payload, webhook_ids, inactive_webhook_ids, inserted_at)
         VALUES ($1, 'call.rated', '{}', '{}', '{}', now())`,
        [tenant.id],
      );
    }
    pool = new Pool({ connectionString: url, options: sessionSettings(url, databaseRole).options, max: 1 });
    tables = await tenantTables(superuser);
  });

  afterAll(async () => {
    closeSockets();
    await pool.end();
    await test.close();
    await superuser.end();
  });

  it('applies to the role of the service’s sessions', async () => {
    const { rows } = await pool.query(
      'SELECT current_user AS name, rolsuper OR rolbypassrls AS free FROM pg_roles WHERE rolname = current_user',
    );
    expect(rows).toEqual([{ name: expectedRole, free: false }]);
    const [service] = await test.get(Database).readSystem([{ text: 'SELECT current_user AS name' }]);
    expect(service).toEqual([{ name: expectedRole }]);
  });

  it('is enabled and forced, with a policy, on every tenant table, and views use the rights of the reader', async () => {
    expect(tables.length).toBeGreaterThan(12);
    const open = tables.filter(({ secured, forced, policies }) => !secured || !forced || policies === 0);
    expect(open.map(({ name }) => name)).toEqual([]);
    const views = await superuser.query(
      `SELECT relname AS name, reloptions AS options FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')
         AND NOT COALESCE('security_invoker=true' = ANY (reloptions), false) ORDER BY relname`,
    );
    const barrier = ['security_barrier=true'];
    expect(views.rows).toEqual(REPORT_VIEWS.map((name) => ({ name, options: barrier })));
  });

  it('refreshes the report views for all tenants and shows each tenant its own rows', async () => {
    await refreshViews(test);
    for (const view of MATERIALIZED_VIEWS) {
      const { rows } = await superuser.query(`SELECT tenant_id FROM analytics.${view}`);
      expect([view, rows.map(({ tenant_id }) => tenant_id)]).toEqual([
        view,
        expect.arrayContaining([own.id, other.id]),
      ]);
    }
    for (const view of REPORT_VIEWS) {
      expect([view, (await pool.query(`SELECT * FROM ${view}`)).rows]).toEqual([view, []]);
      await inScope(own.id, async (client) => {
        const visible = await client.query(`SELECT tenant_id FROM ${view}`);
        expect([view, new Set(visible.rows.map(({ tenant_id }) => tenant_id))]).toEqual([
          view,
          new Set([own.id]),
        ]);
        // A condition that fails on foreign rows must not see any.
        const prying = `SELECT FROM ${view} WHERE 1 / (tenant_id = '${own.id}')::int = 1`;
        await expect(client.query(prying)).resolves.toMatchObject({ rowCount: visible.rowCount });
      });
    }
  });

  it('still shows only the rows of the tenant after a refresh', async () => {
    await inScope(own.id, async (client) => {
      await client.query('SELECT refresh_analytics()');
      const { rows } = await client.query('SELECT DISTINCT tenant_id FROM calls');
      expect(rows).toEqual([{ tenant_id: own.id }]);
    });
  });

  it('denies the service the materialized views, unless its login owns them', async () => {
    const query = pool.query('SELECT FROM analytics.call_hour_sums');
    if (expectedRole === login) await expect(query).resolves.toBeDefined();
    else await expect(query).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
  });

  it('hides every row from a query without a scope and rejects its writes', async () => {
    for (const { name, owner } of tables) {
      const before = await rowsOf(name);
      // Both tenants need rows in every table, so createFullTenant has to fill each new table that keeps them.
      expect([name, new Set(before.map((row) => row[owner]))]).toEqual([name, new Set([own.id, other.id])]);

      expect([name, (await pool.query(`SELECT * FROM ${name}`)).rows]).toEqual([name, []]);
      expect([name, await countAffectedRows(pool, `UPDATE ${name} SET ${owner} = ${owner}`)]).toEqual([
        name,
        0,
      ]);
      expect([name, await countAffectedRows(pool, `DELETE FROM ${name}`)]).toEqual([name, 0]);
      await expect(insert(pool, name, before[0] ?? {})).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);

      expect(await rowsOf(name)).toEqual(before);
    }
    for (const view of ['user_presence', 'agent_states']) {
      expect([view, (await pool.query(`SELECT * FROM ${view}`)).rows]).toEqual([view, []]);
    }
  });

  it('shows a tenant only its own rows and rejects writes to those of another', async () => {
    for (const { name, owner } of tables) {
      const all = await rowsOf(name);
      const [ownRows, otherRows] = [own, other].map(({ id }) => all.filter((row) => row[owner] === id));
      await inScope(own.id, async (client) => {
        const visible = (await client.query(`SELECT to_jsonb(t) AS row FROM ${name} t`)).rows;
        expect([name, visible.length]).toEqual([name, ownRows?.length]);
        expect(visible.every(({ row }) => row[owner] === own.id)).toBe(true);
      });
      await expect(
        inScope(own.id, (client) => insert(client, name, otherRows?.[0] ?? {})),
      ).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
      await expect(
        inScope(own.id, (client) => client.query(`UPDATE ${name} SET ${owner} = $1`, [other.id])),
      ).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
      expect(await rowsOf(name)).toEqual(all);
    }
    await inScope(own.id, async (client) => {
      const { rows } = await client.query('SELECT * FROM user_presence');
      expect(rows).toEqual([{ tenant_id: own.id, user_id: own.owner.id, presence: 'away' }]);
      const states = await client.query('SELECT tenant_id, user_id, presence FROM agent_states');
      expect(states.rows).toEqual(rows);
    });
  });

  it('rejects every change of the audit log, whose rows are deleted only with their tenant', async () => {
    const before = await rowsOf('audit_log');
    const { id, ...row } = before.find(({ tenant_id }) => tenant_id === own.id) ?? {};
    const insertAuditRow = (client: PoolClient, changes: object = {}) =>
      insert(client, 'audit_log', { ...row, ...changes });

    await inScope(own.id, async (client) => {
      await insertAuditRow(client, { id: someId() });
      expect((await client.query('SELECT FROM audit_log')).rowCount).toBe(
        before.filter(({ tenant_id }) => tenant_id === own.id).length + 1,
      );
    });
    for (const statement of [
      `UPDATE audit_log SET action = 'nothing.happened'`,
      'UPDATE audit_log SET inserted_at = inserted_at',
      'DELETE FROM audit_log',
      'TRUNCATE audit_log',
      'TRUNCATE tenants CASCADE',
      `INSERT INTO audit_log SELECT * FROM audit_log ON CONFLICT (id) DO UPDATE SET details = '{}'`,
      `SET LOCAL app.audit_purge = 'on'; DELETE FROM audit_log`,
      `MERGE INTO audit_log a USING audit_log b ON a.id = b.id WHEN MATCHED THEN DELETE`,
    ]) {
      for (const scope of [own.id, null]) {
        const failure = inScope(scope, (client) => client.query(statement));
        expect([statement, await failure.catch(({ code }) => code)]).toEqual([
          statement,
          INSUFFICIENT_PRIVILEGE.code,
        ]);
      }
    }
    await expect(inScope(own.id, (client) => insertAuditRow(client, { id }))).rejects.toMatchObject({
      code: '23505',
    });
    expect(await rowsOf('audit_log')).toEqual(before);
    // A role that does not own the table lacks the privileges; an owner is stopped by the triggers.
    const { rows } = await superuser.query(
      `SELECT has_table_privilege($1, 'audit_log', 'UPDATE, DELETE, TRUNCATE') AS allowed`,
      [expectedRole],
    );
    expect(rows).toEqual([{ allowed: expectedRole === login }]);

    // The rows are deleted only with their tenant, which the service itself may not delete.
    const deleteTenant = (client: PoolClient) => client.query('DELETE FROM tenants WHERE id = $1', [own.id]);
    if (expectedRole !== login)
      await expect(inScope(null, deleteTenant)).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
    await inScope(null, async (client) => {
      await client.query('SET LOCAL ROLE NONE');
      await client.query('DELETE FROM legal_holds WHERE tenant_id = $1', [own.id]);
      await deleteTenant(client);
      const left = await client.query('SELECT DISTINCT tenant_id FROM audit_log');
      expect(left.rows).toEqual([{ tenant_id: other.id }]);
    });
  });

  it('refuses to delete a tenant that has a legal hold', async () => {
    const refused = inScope(null, async (client) => {
      await client.query('SET LOCAL ROLE NONE');
      await client.query('DELETE FROM tenants WHERE id = $1', [own.id]);
    });
    await expect(refused).rejects.toMatchObject({ code: '23503', constraint: 'legal_holds_tenant_id_fkey' });
  });

  it('lets a tenant find only its own customers, by the index, under every role', async () => {
    for (const { id } of [own, other]) {
      const { rows } = await superuser.query('SELECT id FROM customers WHERE tenant_id = $1', [id]);
      expect(await search(id)).toEqual(rows);
    }
    expect(await search(null)).toEqual([]);
    expect((await pool.query(`SELECT search_customers('[["wanda"]]')`)).rows).toEqual([]);
  });

  it('lets the service handle a whole call, from the queue to its end', async () => {
    const { data } = (await own.owner.api.get('/api/v1/calls?status=assigned')).body;
    expect(data).toHaveLength(1);
    const started = await own.owner.api.post(`/api/v1/calls/${data[0].id}/start`);
    expect(started.body.data).toMatchObject({ status: 'active' });
    const completed = await own.owner.api.post(`/api/v1/calls/${data[0].id}/complete`);
    expect(completed.body.data).toMatchObject({ status: 'completed' });
    expect((await test.api.get('/readyz')).status).toBe(200);
  });

  /** The ids of the customers that a search finds in a scope; fails if the search does not use the index. */
  async function search(scope: string | null): Promise<unknown[]> {
    const plans: string[] = [];
    let found: unknown[] = [];
    await inScope(scope, async (client) => {
      await client.query('SET LOCAL enable_seqscan = off');
      found = (await client.query(`SELECT id FROM search_customers('[["wanda", "nobody"]]') AS id`)).rows;
      await client.query(`SET LOCAL app.search = '%WANDA%'`);
      const { rows } = await client.query('EXPLAIN SELECT customer_id FROM customer_words');
      plans.push(JSON.stringify(rows));
    });
    expect(plans.join()).toMatch(/Index Scan on customer_words_search_idx.*Index Cond: \(words ~~ /s);
    return found;
  }

  async function rowsOf(table: string): Promise<Record<string, unknown>[]> {
    const { rows } = await superuser.query(`SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY 1`);
    return rows.map(({ row }) => row);
  }

  async function insert(client: Pool | PoolClient, table: string, row: object): Promise<void> {
    const columns = tables.find(({ name }) => name === table)?.columns.join(', ');
    await client.query(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_record(NULL::${table}, $1)`,
      [JSON.stringify(row)],
    );
  }

  /** Runs `work` in the scope of a tenant, or of the whole system for `null`, and rolls it back. */
  async function inScope(
    tenantId: string | null,
    work: (client: PoolClient) => Promise<unknown>,
  ): Promise<void> {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(`SELECT set_config($1, $2, true)`, [
        tenantId ? 'app.tenant_id' : 'app.system',
        tenantId ?? 'on',
      ]);
      await work(client);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }
});

it('a login that bypasses row-level security cannot start, and the error names the GRANT that it needs', async () => {
  const { url, superuser } = await createDatabase('free-rider', 'LOGIN BYPASSRLS');
  await superuser.end();

  await expect(prepareDatabase(url)).rejects.toThrow('GRANT "free_rider_service" TO "free-rider";');
});

it('a role that DATABASE_ROLE names is created and used, and a login that may not become it cannot start', async () => {
  const { url, superuser } = await createDatabase('creator', 'LOGIN CREATEROLE');
  const role = 'Calls "A"';
  expect(await prepareDatabase(url, { role })).toBe(role);
  expect(await prepareDatabase(url, { role })).toBe(role);
  const { options } = sessionSettings(url, role);
  const client = new Client({ connectionString: url, options });
  await client.connect();
  const { rows } = await client.query(
    'SELECT current_user AS name FROM calls RIGHT JOIN (SELECT) AS one ON true',
  );
  await client.end();
  expect(rows).toEqual([{ name: role }]);
  await superuser.query(`CREATE ROLE outsider LOGIN PASSWORD 'secret'`);
  await superuser.query('GRANT CONNECT ON DATABASE creator TO outsider');
  await superuser.end();

  const outside = new URL(url);
  outside.username = 'outsider';
  await expect(prepareDatabase(outside.toString(), { role })).rejects.toThrow(
    'may not become the role Calls "A". Let an administrator run: CREATE ROLE "Calls ""A""" NOLOGIN; ',
  );
});

it('a role that bypasses row-level security is refused', async () => {
  const { url, superuser } = await createDatabase('chief', 'LOGIN SUPERUSER');
  await superuser.query('CREATE ROLE free BYPASSRLS');
  await superuser.end();
  for (const role of ['free', 'chief']) {
    await expect(prepareDatabase(url, { role })).rejects.toThrow(
      `The role ${role} bypasses row-level security.`,
    );
  }
});

/** The number of rows that a statement changed; 0 if the role may not run it. */
async function countAffectedRows(pool: Pool, statement: string): Promise<number | null> {
  try {
    return (await pool.query(statement)).rowCount;
  } catch (error) {
    expect(error).toMatchObject(INSUFFICIENT_PRIVILEGE);
    return 0;
  }
}

/** Creates a login with these rights and a database that it owns. @returns its URL and a superuser's connection */
async function createDatabase(login: string, rights: string): Promise<{ url: string; superuser: Client }> {
  const name = login.toLowerCase().replace(/\W+/g, '_');
  const adminClient = new Client({ connectionString: server.url });
  await adminClient.connect();
  await adminClient.query(`CREATE ROLE ${escapeIdentifier(login)} ${rights} PASSWORD 'secret'`);
  await adminClient.query(`CREATE DATABASE ${name} OWNER ${escapeIdentifier(login)}`);
  await adminClient.end();
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const superuser = new Client({ connectionString: url.toString() });
  await superuser.connect();
  url.username = encodeURIComponent(login);
  url.password = 'secret';
  return { url: url.toString(), superuser };
}
