import { CallTransitions } from '../../../src/calls/machine/call-transitions';
import { Database } from '../../../src/platform/database/database';
import { StoredObjectsService } from '../../../src/platform/storage/stored-objects.service';
import type { Json } from '../../support/http/api';
import { auditedAbout } from '../../support/contexts/audit-rows';
import { expectStatus, TestTenant } from '../../support/builders';
import { waitForLockWaiters } from '../../support/database/lock-waiters';
import { newRecording, createRecording, recordingRows } from '../../support/contexts/recordings';
import { callRow, eventsOf } from '../../support/database/rows';
import { closingSockets } from '../../support/sockets/connect-sockets';
import { StorageFolder } from '../../support/service/storage-folder';
import { startTestApp, type TestApp } from '../../support/test-app';
import { RecordingRetentionSweeper } from '../../../src/recordings/recording-retention-sweeper';

const DAY = 24 * 60 * 60;

let test: TestApp;
const storage = new StorageFolder();
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  // The tests move the clock by days, so the absence limit must not remove anyone from the queue.
  test = await startTestApp({ env: { ...storage.env, QUEUE_ABSENCE_SECONDS: '360000000' } });
});

afterAll(async () => {
  await test.close();
  storage.remove();
});

const runSweep = () => test.get(RecordingRetentionSweeper).run();

/** Registers a tenant with this retention period and creates a completed call. `null` keeps recordings without limit. */
async function tenantWithCall(recording_retention_days: number | null) {
  const tenant = await TestTenant.register(test);
  const { owner } = tenant;
  await setRetention(tenant, recording_retention_days);
  const { link } = await tenant.queue({ max_queue_size: 1000, max_wait_time: 36_000 });
  const newCall = async (): Promise<string> => {
    const { call_id } = await tenant.join(link);
    expectStatus(await owner.api.post(`/api/v1/calls/${call_id}/complete`), 200);
    return call_id;
  };
  return { tenant, newCall, call: await newCall() };
}

const setRetention = async ({ owner }: TestTenant, recording_retention_days: number | null): Promise<void> =>
  expectStatus(await owner.api.put('/api/v1/tenant', { recording_retention_days }), 200);

const idsOf = async (callId: string): Promise<string[]> =>
  (await recordingRows(test, callId)).map(({ id }) => id);

/** Backdates a recording by this many seconds. */
const backdate = (id: string, seconds: number) =>
  test.db.query('UPDATE recordings SET inserted_at = $2 WHERE id = $1', [
    id,
    new Date(test.clock.now().getTime() - seconds * 1000),
  ]);

const recordingBytes = async ({ id }: TestTenant): Promise<number> => {
  const { rows } = await test.db.query('SELECT recording_bytes FROM storage_usage WHERE tenant_id = $1', [
    id,
  ]);
  return Number(rows[0]?.recording_bytes ?? 0);
};

it('deletes recordings that exceed their tenant’s retention period by a second, and no others', async () => {
  const { tenant, call, newCall } = await tenantWithCall(30);
  const other = await newCall();
  const expired = await createRecording(test, call, tenant.owner);
  const recent = await createRecording(test, call, tenant.owner);
  const onlyOne = await createRecording(test, other, tenant.owner);
  await backdate(expired.id, 30 * DAY + 1);
  await backdate(recent.id, 30 * DAY - 60);
  await backdate(onlyOne.id, 31 * DAY);
  const [unlimited, oneYear] = [await tenantWithCall(null), await tenantWithCall(365)];
  for (const { call: kept, tenant: owningTenant } of [unlimited, oneYear]) {
    await backdate((await createRecording(test, kept, owningTenant.owner)).id, 364 * DAY);
  }

  await runSweep();

  expect(await idsOf(call)).toEqual([recent.id]);
  expect(await idsOf(other)).toEqual([]);
  expect([await idsOf(unlimited.call), await idsOf(oneYear.call)]).toEqual([
    [expect.any(String)],
    [expect.any(String)],
  ]);
  expect((await callRow(test, call)).has_recording).toBe(true);
  expect((await callRow(test, other)).has_recording).toBe(false);
  expect(await recordingBytes(tenant)).toBe(recent.size);
});

it('keeps recordings of a customer who is under a legal hold, until it is released', async () => {
  const { tenant, call, newCall } = await tenantWithCall(30);
  const free = await newCall();
  for (const each of [call, free]) {
    await backdate((await createRecording(test, each, tenant.owner)).id, 31 * DAY);
  }
  const created = await tenant.owner.api.post('/api/v1/customers', { name: 'Carla' });
  const customer: string = created.body.data.id;
  await test.db.query('UPDATE calls SET customer_id = $2 WHERE id = $1', [call, customer]);
  await test.db.query(
    `INSERT INTO legal_holds (tenant_id, customer_id, reason, inserted_at) VALUES ($1, $2, 'A lawsuit', now())`,
    [tenant.id, customer],
  );
  await runSweep();
  expect([await idsOf(call), await idsOf(free)]).toEqual([[expect.any(String)], []]);
  await test.db.query('DELETE FROM legal_holds WHERE customer_id = $1', [customer]);
  await runSweep();
  expect(await idsOf(call)).toEqual([]);
});

it('measures the retention period with the service’s clock', async () => {
  const { tenant, call } = await tenantWithCall(2);
  await createRecording(test, call, tenant.owner);
  await runSweep();
  expect(await idsOf(call)).toHaveLength(1);
  test.clock.advance(2 * DAY - 3600);
  await runSweep();
  expect(await idsOf(call)).toHaveLength(1);
  test.clock.advance(7200);
  await runSweep();
  expect(await idsOf(call)).toEqual([]);
});

it('notifies staff and records domain events, but writes no audit entry', async () => {
  const { tenant, call } = await tenantWithCall(1);
  const { id } = await createRecording(test, call, tenant.owner);
  const audited = await auditedAbout(test, id);
  const socket = await connect(tenant.owner.token);
  await backdate(id, 2 * DAY);
  await runSweep();
  const isRemoved = ({ call_id, has_recording }: Json) => call_id === call && !has_recording;
  await socket.waitFor('call_updated', isRemoved);
  expect(await eventsOf(test, id)).toEqual(['recording.ready', 'recording.deleted']);
  expect(await auditedAbout(test, id)).toEqual(audited);
});

it('leaves the content to the next storage sweep', async () => {
  const { tenant, call } = await tenantWithCall(1);
  const { id } = await createRecording(test, call, tenant.owner);
  const [{ storage_key }] = (await recordingRows(test, call)) as [Json];
  await backdate(id, 2 * DAY);
  await runSweep();
  expect(storage.files()).toContain(storage_key);
  await test.get(StoredObjectsService).sweep();
  expect(storage.files()).not.toContain(storage_key);
});

it('deletes more recordings than fit in one batch, also when two sweeps run at once', async () => {
  const { tenant, call } = await tenantWithCall(1);
  const content = newRecording();
  const { id } = await createRecording(test, call, tenant.owner, content);
  // More calls than one batch processes.
  await test.db.query(
    `WITH c AS (
       INSERT INTO calls (tenant_id, department_name, customer_name, estimated_wait_time, status, has_recording,
         inserted_at, ended_at, updated_at)
       SELECT $1, 'Support', 'João', 0, 'completed', true, $2, $2, $2 FROM generate_series(1, 450)
       RETURNING id, tenant_id, inserted_at
     ), o AS (
       INSERT INTO stored_objects (key, tenant_id) SELECT tenant_id || '/recordings/' || id, tenant_id FROM c
     )
     INSERT INTO recordings (tenant_id, call_id, storage_key, content_type, size, sha256, inserted_at)
     SELECT tenant_id, id, tenant_id || '/recordings/' || id, 'video/webm', 10, 'hash', inserted_at FROM c`,
    [tenant.id, new Date(test.clock.now().getTime() - 3 * DAY * 1000)],
  );
  await test.db.query(
    'UPDATE storage_usage SET recording_bytes = recording_bytes + 4500 WHERE tenant_id = $1',
    [tenant.id],
  );
  await Promise.all([runSweep(), runSweep()]);
  const { rows } = await test.db.query('SELECT id FROM recordings WHERE tenant_id = $1', [tenant.id]);
  expect(rows).toEqual([{ id }]);
  expect(await recordingBytes(tenant)).toBe(content.length);
});

it('keeps a recording when the retention period changes before its deletion', async () => {
  const { tenant, call } = await tenantWithCall(1);
  const { id } = await createRecording(test, call, tenant.owner);
  await backdate(id, 2 * DAY);
  let running: Promise<void> | undefined;
  // Another transaction holds the lock on the call while the setting changes.
  await test.get(Database).tenant(tenant.id, async (tx) => {
    await test.get(CallTransitions).lock(tx, tenant.id, call);
    running = runSweep();
    await waitForLockWaiters(test);
    await setRetention(tenant, null);
  });
  await running;
  expect(await idsOf(call)).toEqual([id]);
});

it('runs every hour', async () => {
  const { rows } = await test.db.query(
    `SELECT cron FROM pgboss.schedule WHERE name = 'delete-old-recordings'`,
  );
  expect(rows).toEqual([{ cron: '23 * * * *' }]);
});
