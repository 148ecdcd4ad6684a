import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { ErasureFollowUp } from '../../src/customers/erasures/erasure-follow-up';
import { Database } from '../../src/platform/database/database';
import { prepareDatabase } from '../../src/operator/migration/prepare-database';
import { Jobs } from '../../src/platform/jobs/jobs';
import { readReceipt } from '../../src/customers/erasures/receipt-jws';
import { StoredObjectsService } from '../../src/platform/storage/stored-objects.service';
import { expectStatus, TestTenant } from '../support/builders';
import { ensureBuilt } from '../support/service/built-service';
import { tenantTables } from '../support/contexts/tenant-tables';
import { Operator } from '../support/service/cli';
import { asSuperuser, databaseUrl } from '../support/database/database';
import { expectFailure } from '../support/database/failures';
import { SERVICE_ROLE } from '../support/database/service-role';
import { rowsDigest } from '../support/authorisation/rows-digest';
import { SmtpPeer } from '../support/peers/smtp-peer';
import { closingSockets } from '../support/sockets/connect-sockets';
import { createFullTenant, closeSockets, GATEWAY_TOKEN } from '../support/authorisation/tenant-data';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

beforeAll(ensureBuilt);

/** Creates a database that is owned by a new role with these attributes. */
async function createDatabase(roleAttributes: string): Promise<{ name: string; url: string }> {
  const name = `erase_${randomBytes(6).toString('hex')}`;
  await asSuperuser(databaseUrl('postgres'), async (client) => {
    await client.query(`CREATE ROLE ${name} LOGIN ${roleAttributes} PASSWORD 'secret'`);
    await client.query(`CREATE DATABASE ${name} OWNER ${name}`);
  });
  const url = new URL(databaseUrl(name));
  url.username = name;
  url.password = 'secret';
  return { name, url: url.toString() };
}

async function dropDatabase(name: string): Promise<void> {
  await asSuperuser(databaseUrl('postgres'), async (client) => {
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await client.query(`DROP ROLE ${name}`);
  });
}

describe.each([
  ['that works as the service’s role', 'SUPERUSER', SERVICE_ROLE],
  ['that owns the tables and is bound by row-level security', 'NOSUPERUSER', undefined],
])('tenant erase with a login %s', (_which, roleAttributes, role) => {
  let name: string;
  let peer: SmtpPeer;
  let test: TestApp;
  let operator: Operator;
  let own: TestTenant;
  let other: TestTenant;

  const sockets = closingSockets(() => test.url);
  const withSuperuser = <T>(work: (client: Client) => Promise<T>) => asSuperuser(databaseUrl(name), work);
  const erase = (...confirm: string[]) => ['tenant', 'erase', own.slug, '--confirm', ...confirm];

  beforeAll(async () => {
    let url: string;
    ({ name, url } = await createDatabase(roleAttributes));
    const databaseRole = await prepareDatabase(url, { role });
    expect(databaseRole).toBe(role ?? name);
    peer = await SmtpPeer.start();
    // No sweep ends the assigned calls between the two digests.
    const longTimeout = { RING_TIMEOUT_SECONDS: '36000' };
    const env = { ASAAS_WEBHOOK_TOKEN: GATEWAY_TOKEN, SMTP_URL: peer.url(), ...longTimeout };
    test = await startTestApp({ databaseUrl: url, databaseRole, env });
    operator = new Operator(test, { DATABASE_ROLE: role ?? '' });
    [own, other] = await withSuperuser(async (client) => [
      await createFullTenant(test, client),
      await createFullTenant(test, client),
    ]);
  });

  afterAll(async () => {
    closeSockets();
    await test.close();
    await peer.stop();
    await dropDatabase(name);
  });

  /** Counts the rows of the tenant in each table, without tables that have none. Records of erasures outlive it. */
  const countRows = ({ id }: TestTenant): Promise<Record<string, number>> =>
    withSuperuser(async (client) => {
      const counts: Record<string, number> = {};
      for (const table of await tenantTables(client)) {
        if (table.name === 'erasures') continue;
        const found = await client.query(`SELECT FROM ${table.name} WHERE ${table.owner} = $1`, [id]);
        if (found.rowCount) counts[table.name] = found.rowCount;
      }
      return counts;
    });

  it('rejects anything but the exact slug and deletes nothing', async () => {
    const before = await countRows(own);
    for (const wrong of [other.slug, own.slug.toUpperCase(), '']) {
      expect(await operator.tryRun(erase(wrong))).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `Nothing was deleted: --confirm must be the tenant's slug, ${own.slug}.\n`,
      });
    }
    expect(await countRows(own)).toEqual(before);
  });

  it('deletes all rows of the tenant, disconnects its users and leaves the other tenant unchanged', async () => {
    const { owner } = own;
    const socket = await sockets.connect(owner.token);
    const before = await withSuperuser((client) => rowsDigest(client, other.id));
    await withSuperuser((client) => client.query('DELETE FROM legal_holds WHERE tenant_id = $1', [own.id]));
    const { tenants, ...rows } = await countRows(own);
    expect(tenants).toBe(1);
    // Every table has rows to delete, but for events, whose deliveries are made at once; createFullTenant has to fill new tables.
    const deleted = (await withSuperuser(tenantTables))
      .map((table) => table.name)
      .filter((table) => !['tenants', 'legal_holds', 'erasures', 'webhook_events'].includes(table));
    expect(Object.keys(rows)).toEqual(deleted);

    const erased = await operator.json(erase(own.slug));
    const { erasure_id } = erased;
    const pending = { erasure_id, state: 'pending', receipt: null };
    expect(erased).toEqual({ tenant: own.slug, deleted: rows, ...pending });
    // Rows of stored objects remain until the service has deleted the objects from the storage.
    const { stored_objects: _, ...left } = await countRows(own);
    expect(left).toEqual({});
    await until(async () => {
      await test.get(StoredObjectsService).sweep();
      return Object.keys(await countRows(own)).length === 0;
    });
    await test.get(ErasureFollowUp).run();
    const { receipt } = await operator.json(['receipt', 'show', erasure_id]);
    expect(readReceipt(receipt)?.receipt).toMatchObject({
      receipt_id: erasure_id,
      kind: 'tenant_erasure',
      subject_ids: [own.id],
      requested_by: 'operator',
      tables: rows,
      storage_objects: { count: rows.stored_objects },
    });

    await until(async () => {
      const { status } = await owner.api.get('/api/v1/users/me');
      return status === 401 && socket.io.disconnected;
    });
    expect(await countRows(own)).toEqual({});
    expect(await withSuperuser((client) => rowsDigest(client, other.id))).toEqual(before);
    expectStatus(await other.owner.api.get('/api/v1/users/me'), 200);
    const login = { tenant: own.slug, email: owner.email, password: 'whatever it was' };
    expectFailure(await test.api.post('/api/auth/login', login), 401, { code: 'invalid_credentials' });
    expect((await operator.tryRun(erase(own.slug))).stderr).toBe(
      `There is no tenant with the slug ${own.slug}.\n`,
    );
  });

  it('lets jobs that are still queued end immediately without effect', async () => {
    const erased = await TestTenant.register(test, 'free');
    await operator.run(['tenant', 'erase', erased.id, '--confirm', erased.slug]);
    const user = { tenant_id: erased.id, user_id: erased.owner.id };
    const at = new Date().toISOString();
    // Has the fields of all job types; each job reads its own.
    const subject = { subject_id: user.user_id, changed: ['active'] };
    const department = { id: user.user_id, name: 'Gone', ending: 'links' };
    const data = { ...user, ...subject, ...department, holder: user, occurred_at: at, requested_at: at };
    const queues = await withSuperuser(async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT name FROM pgboss.queue WHERE name !~ '^(__pgboss|purge-)'`,
      );
      return rows.map((row) => row.name);
    });
    expect(queues).toEqual(
      expect.arrayContaining(['apply-payments', 'mail-invitation', 'mail-password-reset']),
    );
    await test.get(Database).system(async (tx) => {
      for (const queue of queues) await test.get(Jobs).enqueue(tx, queue, data);
    });
    const jobs = () =>
      withSuperuser(async (client) => {
        const { rows } = await client.query<{ name: string; state: string; retry_count: number }>(
          `SELECT name, state, retry_count FROM pgboss.job WHERE data->>'requested_at' = $1`,
          [at],
        );
        return rows;
      });
    await until(async () => (await jobs()).every(({ state }) => !['created', 'active'].includes(state)));
    expect(
      (await jobs()).filter(({ state, retry_count }) => state !== 'completed' || retry_count > 0),
    ).toEqual([]);
    expect(await jobs()).toHaveLength(queues.length);
    expect(await countRows(erased)).toEqual({});
    expect(peer.messages).toEqual([]);
  });
});
