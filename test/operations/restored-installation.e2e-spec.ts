import { Readable } from 'node:stream';
import { StoredObjectsService } from '../../src/platform/storage/stored-objects.service';
import { OutboundGate } from '../../src/platform/database/installation/outbound-gate';
import { expectStatus, TestTenant } from '../support/builders';
import { createWebhook } from '../support/contexts/webhooks';
import { cloneDatabase } from '../support/database/database';
import { SmtpPeer } from '../support/peers/smtp-peer';
import { WebhookReceiver } from '../support/peers/webhook-receiver';
import { ensureBuilt } from '../support/service/built-service';
import { Operator } from '../support/service/cli';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** Much longer than it takes until a mail or webhook of a running installation has arrived. */
const GRACE_MS = 2000;

let storage: StorageFolder;
let peer: SmtpPeer;
let receiver: WebhookReceiver;
let database: { url: string; drop: () => Promise<void> };
let test: TestApp;

const start = async () => {
  const env = { ...storage.env, SMTP_URL: peer.url() };
  test = await startTestApp({ databaseUrl: database.url, env });
};
const isPaused = () => test.get(OutboundGate).isPaused;
const cli = (command: string) => new Operator(test).run([command]);

beforeAll(async () => {
  await ensureBuilt();
  storage = new StorageFolder();
  peer = await SmtpPeer.start();
  receiver = await WebhookReceiver.start();
  database = await cloneDatabase();
  await start();
});

afterAll(async () => {
  await test.close();
  await database.drop();
  await Promise.all([peer.stop(), receiver.stop()]);
  storage.remove();
});

it('an installation whose database was restored sends nothing and deletes no objects until it is resumed', async () => {
  expect(isPaused()).toBe(false);
  const tenant = await TestTenant.register(test);
  const webhook = await createWebhook(tenant, receiver.url);
  const objects = test.get(StoredObjectsService);
  const { key } = await objects.write(tenant.id, 'files', Readable.from([Buffer.from('x')]));
  // The same database is not a restored one.
  await test.close();
  await start();
  expect(isPaused()).toBe(false);
  await test.db.query(`UPDATE installation SET system_identifier = '1'`);
  await test.close();

  await start();
  expect(isPaused()).toBe(true);
  const api = test.api.as(tenant.owner.token);
  const department = await api.post('/api/v1/departments', { department: { name: 'Sales' } });
  expectStatus(department, 201);
  const invited = { name: 'Ivo Invited', email: 'ivo@example.com', role: 'attendant' };
  expectStatus(await api.post('/api/v1/users', invited), 201);
  const tested = await api.post(`/api/v1/webhooks/${webhook.id}/test`);
  expect([tested.status, tested.body.errors.code]).toEqual([503, 'outbound_paused']);
  await test.get(StoredObjectsService).discard(key);
  await test.get(StoredObjectsService).sweep();
  await new Promise((resolve) => setTimeout(resolve, GRACE_MS));
  const { rows } = await test.db.query(`SELECT event FROM webhook_events`);
  expect(rows).toEqual([{ event: 'department.created' }]);
  expect((await test.db.query(`SELECT FROM webhook_deliveries`)).rows).toEqual([]);
  const jobs = await test.db.query(
    `SELECT state, retry_count FROM pgboss.job WHERE name = 'mail-invitation'`,
  );
  expect(jobs.rows).toEqual([{ state: 'created', retry_count: 0 }]);
  expect([receiver.received.length, peer.messages.length]).toEqual([0, 0]);
  expect(storage.files()).toContain(key);

  expect(await cli('resume')).toMatch(/^Resumed. It was paused because its database was restored since 20/);
  await until(() => receiver.received.length === 1 && peer.messages.length === 1);
  expect(receiver.received[0]?.payload).toMatchObject({ type: 'department.created' });
  expect(peer.messages[0]?.envelope.to).toEqual(['ivo@example.com']);
  // A sweep of the application may have taken the object already, but not deleted it yet.
  await until(async () => {
    await test.get(StoredObjectsService).sweep();
    return !storage.files().includes(key);
  });
  await test.close();
  await start();
  expect(isPaused()).toBe(false);
});

it('`pause` and `resume` reach running instances', async () => {
  expect(await cli('pause')).toBe('The installation is paused.\n');
  await until(isPaused);
  const metrics = await (await fetch(`${test.url}/metrics`)).text();
  expect(metrics).toMatch(/^vcq_outbound_paused 1$/m);
  expect(await cli('resume')).toMatch(/^Resumed. It was paused by the operator since /);
  await until(() => !isPaused());
});

it('`resume --discard-pending` does not send what was pending in the backup', async () => {
  const tenant = await TestTenant.register(test);
  await createWebhook(tenant, receiver.url);
  await cli('pause');
  await until(isPaused);
  const invite = (email: string) =>
    tenant.owner.api.post('/api/v1/users', { name: 'Ivo Invited', email, role: 'attendant' });
  const createDepartment = (name: string) =>
    tenant.owner.api.post('/api/v1/departments', { department: { name } });
  expectStatus(await invite('before@example.com'), 201);
  expectStatus(await createDepartment('Before'), 201);
  // As after a restore: what has been requested so far was requested before the pause.
  await test.db.query('UPDATE installation SET paused_at = clock_timestamp()');
  expectStatus(await invite('after@example.com'), 201);
  expectStatus(await createDepartment('After'), 201);

  const resumed = await new Operator(test).json(['resume', '--discard-pending']);
  expect(resumed.discarded).toEqual({ mails: 1, webhooks: 1 });
  await peer.messageTo('after@example.com');
  await until(() => receiver.received.some(({ payload }) => payload.data.name === 'After'));
  expect(peer.messages.flatMap(({ envelope }) => envelope.to)).not.toContain('before@example.com');
  expect(receiver.received.map(({ payload }) => payload.data.name)).not.toContain('Before');
  const { rows } = await test.db.query(
    `SELECT status, error FROM webhook_deliveries WHERE payload->'data'->>'name' = 'Before'`,
  );
  expect(rows).toEqual([{ status: 'failed', error: expect.stringMatching(/^discarded by the operator/) }]);
  expect((await new Operator(test).tryRun(['resume', '--discard-pending'])).stderr).toMatch(/not paused/);
});
