import { PLAN_NAMES, type PlanName } from '../../src/plans/plan-catalogue';
import { StorageUsage } from '../../src/plans/storage-usage';
import { Database } from '../../src/platform/database/database';
import type { Answer } from '../support/http/api';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import {
  createRecording,
  newRecording,
  recordingRows,
  uploadRecording,
} from '../support/contexts/recordings';
import { MIB, recordingOf, TusClient } from '../support/contexts/tus';
import { expectFailure } from '../support/database/failures';
import { upload } from '../support/http/multipart';
import { RawUpload } from '../support/http/raw-upload';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const GIB = 1024 * MIB;

let test: TestApp;
const storage = new StorageFolder();

beforeAll(async () => {
  test = await startTestApp({ env: { ...storage.env, QUEUE_ABSENCE_SECONDS: '36000' } });
});

afterAll(async () => {
  await test.close();
  storage.remove();
});

/** Adds stored bytes of files to the tenant's usage, without files. */
const addBytes = ({ id }: TestTenant, bytes: number) =>
  test.get(Database).tenant(id, (tx) => test.get(StorageUsage).add(tx, id, bytes, 'file_bytes'));

/** A tenant with a call and `free` bytes left of its storage. */
async function scene(plan: PlanName, gibibytes: number, free: number) {
  const tenant = await TestTenant.register(test, plan);
  const { link } = await tenant.queue();
  const { call_id: callId } = await tenant.join(link);
  await addBytes(tenant, gibibytes * GIB - free);
  return { tenant, owner: tenant.owner, callId, peer: new TusClient(test.url, tenant.owner.token) };
}

const basic = (free: number) => scene('basic', 20, free);

const readPlan = async ({ api }: Member) => (await api.get('/api/v1/billing/plan')).body.data;

/** MiB that the tenant uses more than before. */
async function mibSince(before: number, owner: Member): Promise<number> {
  return (await readPlan(owner)).usage.storage_mb - before;
}

const uploadFile = (callId: string, { token }: Member, content: Buffer): Promise<Answer> =>
  upload(test, `/api/v1/calls/${callId}/upload`, [['file', content, 'file.bin']], { token });

const file = (bytes: number, seed = 'a') => Buffer.alloc(bytes, seed);
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted();

function expectFull(answer: Answer, plan: string, larger: string, limit: string): void {
  expectFailure(answer, 403, { code: 'plan_limit' });
  expect(answer.body.errors.detail).toBe(
    `The plan ${plan} allows ${limit} of recordings, files and unfinished uploads. The plan ${larger} allows more.`,
  );
}

it('the billing view has the limit of each plan in MiB', async () => {
  const limits = [];
  for (const plan of PLAN_NAMES) {
    const { owner } = await TestTenant.register(test, plan);
    limits.push((await readPlan(owner)).max_storage_mb);
  }
  expect(limits).toEqual([1024, 20 * 1024, 100 * 1024, 500 * 1024, null]);
});

it('counts recordings, files and unfinished uploads until they are deleted', async () => {
  const { owner, callId, peer } = await basic(100 * MIB);
  const { storage_mb: before } = (await readPlan(owner)).usage;
  expect((await uploadFile(callId, owner, file(2 * MIB))).status).toBe(201);
  expect(await mibSince(before, owner)).toBe(2);
  await createRecording(test, callId, owner, recordingOf(3 * MIB));
  expect(await mibSince(before, owner)).toBe(5);
  // The length is reserved; without a length, what was received counts.
  const known = await peer.begin(callId, 4 * MIB);
  const live = await peer.begin(callId);
  await peer.patch(live, 0, recordingOf(MIB, 'b'));
  expect(await mibSince(before, owner)).toBe(10);
  // As a recording, it counts once.
  expect((await peer.patch(known, 0, recordingOf(4 * MIB, 'c'))).status).toBe(204);
  expect(await mibSince(before, owner)).toBe(10);
  expect((await peer.send('DELETE', live)).status).toBe(204);
  expect(await mibSince(before, owner)).toBe(9);
  for (let count = 0; count < 2; count++) await owner.api.delete(`/api/v1/calls/${callId}/recording`);
  expect(await mibSince(before, owner)).toBe(2);
  const { rows } = await test.db.query('SELECT customer_id FROM calls WHERE id = $1', [callId]);
  expectStatus(await owner.api.post(`/api/v1/calls/${callId}/complete`), 200);
  expectStatus(await owner.api.post(`/api/v1/customers/${rows[0].customer_id}/erase`), 200);
  expect(await mibSince(before, owner)).toBe(0);
});

describe('an upload above the limit', () => {
  it('of a file is rejected with 403 and not stored, and one that just fits is accepted', async () => {
    const { owner, callId, tenant } = await scene('free', 1, MIB);
    expectFull(await uploadFile(callId, owner, file(MIB + 1)), 'free', 'basic', '1 GiB');
    expect(storage.files().filter((name) => name.startsWith(tenant.id))).toEqual([]);
    expect((await uploadFile(callId, owner, file(MIB))).status).toBe(201);
    expectFull(await uploadFile(callId, owner, file(1)), 'free', 'basic', '1 GiB');
    expect((await readPlan(owner)).usage.storage_mb).toBe(1024);
  });

  it('of a recording is rejected with 403 and not stored', async () => {
    const { owner, callId, tenant } = await basic(MIB);
    const answer = await uploadRecording(test, callId, owner, recordingOf(MIB + 1));
    expectFull(answer, 'basic', 'advanced', '20 GiB');
    expect(await recordingRows(test, callId)).toEqual([]);
    expect(storage.files().filter((name) => name.startsWith(tenant.id))).toEqual([]);
    await createRecording(test, callId, owner, newRecording());
  });

  it('is rejected before its content is sent, if its Content-Length is too large', async () => {
    const { owner, callId } = await scene('free', 1, 5 * MIB);
    const raw = await RawUpload.open(test, `/api/v1/calls/${callId}/upload`, owner.token, 10 * MIB);
    expect(await raw.status()).toBe(403);
  });

  it('is unlimited on the plan enterprise', async () => {
    const { owner, callId } = await scene('enterprise', 5000, 0);
    expect((await uploadFile(callId, owner, file(MIB))).status).toBe(201);
  });

  it('is accepted on a larger plan, and rejected after the plan has ended', async () => {
    const { owner, callId, tenant } = await scene('advanced', 20, 0);
    expect((await uploadFile(callId, owner, file(1000))).status).toBe(201);
    await test.db.query(`UPDATE subscriptions SET status = 'cancelled' WHERE tenant_id = $1`, [tenant.id]);
    expectFull(await uploadFile(callId, owner, file(1000)), 'free', 'advanced', '1 GiB');
  });
});

describe('parallel uploads', () => {
  it('of files never exceed the limit together', async () => {
    const { owner, callId } = await scene('free', 1, 3 * MIB);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => uploadFile(callId, owner, file(MIB, String(n)))),
    );
    expect(statuses(answers)).toEqual([201, 201, 201, 403, 403, 403, 403, 403]);
    expect((await readPlan(owner)).usage.storage_mb).toBe(1024);
  });

  it('of recordings, files and resumable uploads never exceed the limit together', async () => {
    const { owner, callId, peer } = await basic(4 * MIB);
    const answers = await Promise.all(
      ['a', 'b', 'c'].flatMap((seed) => [
        uploadRecording(test, callId, owner, recordingOf(MIB, seed)),
        uploadFile(callId, owner, file(MIB, seed)),
        peer.create(callId, MIB),
      ]),
    );
    expect(statuses(answers)).toEqual([...Array(4).fill(201), ...Array(5).fill(403)]);
    expect((await readPlan(owner)).usage.storage_mb).toBe(20 * 1024);
  });
});

describe('a resumable upload', () => {
  it('reserves its length, which is free again after it was cancelled', async () => {
    const { owner, callId, peer } = await basic(10 * MIB);
    const first = await peer.begin(callId, 8 * MIB);
    expectFull(await peer.create(callId, 3 * MIB), 'basic', 'advanced', '20 GiB');
    expectFull(await uploadFile(callId, owner, file(3 * MIB)), 'basic', 'advanced', '20 GiB');
    expect((await peer.send('DELETE', first)).status).toBe(204);
    await peer.begin(callId, 3 * MIB);
  });

  it('is completed, also if the storage is full by then', async () => {
    const { owner, callId, peer, tenant } = await basic(2 * MIB);
    const location = await peer.begin(callId, 2 * MIB);
    await addBytes(tenant, GIB);
    const answer = await peer.patch(location, 0, recordingOf(2 * MIB));
    expect([answer.status, answer.headers.has('recording-id')]).toEqual([204, true]);
    expect(await recordingRows(test, callId)).toHaveLength(1);
    expectFull(await uploadFile(callId, owner, file(1)), 'basic', 'advanced', '20 GiB');
  });

  it('without a length stops at the limit, and keeps what was received', async () => {
    const { callId, peer } = await basic(10 * MIB);
    const live = await peer.begin(callId);
    expectFull(await peer.patch(live, 0, recordingOf(12 * MIB)), 'basic', 'advanced', '20 GiB');
    // Content arrives in parts of 8 MiB.
    expect(await peer.offset(live)).toBe(8 * MIB);
    const headers = { 'upload-length': String(11 * MIB) };
    expectFull(await peer.patch(live, 8 * MIB, file(1), headers), 'basic', 'advanced', '20 GiB');
    const rest = recordingOf(2 * MIB, 'b');
    const end = await peer.patch(live, 8 * MIB, rest, { 'upload-length': String(10 * MIB) });
    expect(end.status).toBe(204);
    await until(async () => (await recordingRows(test, callId)).length === 1);
  });
});
