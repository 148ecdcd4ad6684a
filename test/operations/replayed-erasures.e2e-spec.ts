import { randomBytes } from 'node:crypto';
import { OutboundGate } from '../../src/platform/database/installation/outbound-gate';
import { expectStatus, PASSWORD, TestTenant } from '../support/builders';
import { asSuperuser, cloneDatabase, databaseUrl } from '../support/database/database';
import { tablesContainingAny } from '../support/database/tables-containing-any';
import type { Json } from '../support/http/api';
import { ensureBuilt } from '../support/service/built-service';
import { Operator } from '../support/service/cli';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

beforeAll(ensureBuilt);

const administrate = (sql: string) =>
  asSuperuser(databaseUrl('postgres'), async (client) => void (await client.query(sql)));

/** Copies a database that nobody uses, as a backup does. */
async function copyDatabase(url: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `restored_${randomBytes(6).toString('hex')}`;
  const source = new URL(url).pathname.slice(1);
  await administrate(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY FILE_COPY`);
  return { url: databaseUrl(name), drop: () => administrate(`DROP DATABASE ${name} WITH (FORCE)`) };
}

const PEOPLE = ['Zuleide Quaresma', 'Zu Quaresma', 'Wilma Wartende'];
const TRACES = ['quaresma', 'wartende'];

const storage = new StorageFolder();
let test: TestApp;

afterAll(() => storage.remove());

const start = async (databaseUrl: string) => {
  test = await startTestApp({ databaseUrl, env: storage.env });
};
const operator = () => new Operator(test, storage.env);

it('erasures after a backup are repeated after its restore', async () => {
  const database = await cloneDatabase();
  await start(database.url);
  const [tenant, closed] = [await TestTenant.register(test), await TestTenant.register(test)];
  const { link } = await tenant.queue();
  const { api } = tenant.owner;
  const createCustomer = async (name: string): Promise<Json> => {
    const answer = await api.post('/api/v1/customers', { name });
    expectStatus(answer, 201);
    return answer.body.data;
  };
  const [zuleide, duplicate] = [await createCustomer(PEOPLE[0] ?? ''), await createCustomer(PEOPLE[1] ?? '')];
  const { call_id } = await tenant.join(link, { name: PEOPLE[2] });
  const waiting = (await api.get('/api/v1/customers?search=Wilma')).body.data[0];
  await test.db.query(
    `INSERT INTO legal_holds (tenant_id, customer_id, reason, inserted_at)
     VALUES ($1, $2, 'A lawsuit', now()), ($3, NULL, 'A lawsuit', now())`,
    [tenant.id, zuleide.id, closed.id],
  );
  await test.close();
  const backup = await copyDatabase(database.url);

  await start(database.url);
  const now = test.api.as(tenant.owner.token);
  await test.db.query('DELETE FROM legal_holds');
  const merge = { primary_id: zuleide.id, duplicate_ids: [duplicate.id] };
  expectStatus(await now.post('/api/v1/customers/merge', merge), 200);
  expectStatus(await now.post(`/api/v1/calls/${call_id}/complete`), 200);
  for (const { id } of [zuleide, waiting]) expectStatus(await now.post(`/api/v1/customers/${id}/erase`), 200);
  await operator().run(['tenant', 'erase', closed.slug, '--confirm', closed.slug]);
  await until(() => storage.journal().length === 3);
  expect(await tablesContainingAny(test, TRACES)).toEqual([]);
  await test.close();

  await start(backup.url);
  expect(test.get(OutboundGate).isPaused).toBe(true);
  const restored = test.api.as(tenant.owner.token);
  // The holds were released after the backup.
  const releaseZuleide = ['hold', 'release', tenant.slug, '--customer', zuleide.id];
  expect((await operator().tryRun(['resume'])).stderr).toContain(`run: ${releaseZuleide.join(' ')}\n`);
  const releaseHold = (id: string) =>
    test.db.query('DELETE FROM legal_holds WHERE $1 IN (tenant_id, customer_id)', [id]);
  await releaseHold(zuleide.id);
  await until(
    async () => (await restored.get('/api/v1/customers?search=Quaresma')).body.data.length === 0,
    () => 'the customers have not been erased',
  );
  const owner = { tenant: closed.slug, email: closed.owner.email, password: PASSWORD };
  expect((await test.api.post('/api/auth/login', owner)).status).toBe(403);
  // The call is open again, so its customer could not be erased.
  expect((await operator().tryRun(['resume'])).stderr).toMatch(
    /^The erasures since the backup have not been repeated/,
  );
  expectStatus(await restored.post(`/api/v1/calls/${call_id}/complete`), 200);
  const releaseClosed = ['hold', 'release', closed.slug];
  await until(async () =>
    (await operator().tryRun(['resume'])).stderr.includes(`run: ${releaseClosed.join(' ')}\n`),
  );
  const erase = await operator().tryRun(['tenant', 'erase', closed.slug, '--confirm', closed.slug]);
  expect(erase.stderr).toMatch(
    /^Nothing was deleted. The legal hold on .+ from the backup, prevents the erasure/,
  );
  await releaseHold(closed.id);
  await operator().run(['resume']);
  expect(await tablesContainingAny(test, [...TRACES, closed.slug])).toEqual([]);
  expect((await test.db.query('SELECT FROM tenants WHERE id = $1', [closed.id])).rowCount).toBe(0);
  // They are known again, and not written to the journal twice.
  const { rows } = await test.db.query(
    'SELECT count(*)::int AS total, count(journalled_at)::int AS journalled FROM erasures',
  );
  expect(rows).toEqual([{ total: 3, journalled: 3 }]);
  await until(() => !test.get(OutboundGate).isPaused);
  expect(storage.journal()).toHaveLength(3);
  await test.close();
  await Promise.all([database.drop(), backup.drop()]);
});

it('a start on a restored database fails if the journal cannot be read', async () => {
  const database = await cloneDatabase();
  const first = await startTestApp({ databaseUrl: database.url });
  await first.db.query(`UPDATE installation SET system_identifier = '1'`);
  await first.close();
  const env = { STORAGE_URL: 's3://key:secret@calls?endpoint=http://127.0.0.1:9' };
  await expect(startTestApp({ databaseUrl: database.url, env })).rejects.toThrow(
    'the journal of erasures in the storage cannot be read',
  );
  await database.drop();
});
