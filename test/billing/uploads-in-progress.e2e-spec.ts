import { MAX_OPEN_UPLOADS } from '../../src/plans/storage-admission';
import { StorageUsage } from '../../src/plans/storage-usage';
import { Database } from '../../src/platform/database/database';
import type { PlanName } from '../../src/plans/plan-catalogue';
import { type Member, TestTenant } from '../support/builders';
import { MIB, TusClient } from '../support/contexts/tus';
import { expectFailure } from '../support/database/failures';
import { upload } from '../support/http/multipart';
import { PART_END, PART_HEAD, RawUpload } from '../support/http/raw-upload';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const LIMIT_MIB = 2;

let test: TestApp;
const storage = new StorageFolder();
const openUploads: RawUpload[] = [];

beforeAll(async () => {
  const env = { ...storage.env, MAX_UPLOAD_MB: String(LIMIT_MIB), QUEUE_ABSENCE_SECONDS: '36000' };
  test = await startTestApp({ env });
});

afterEach(() => abortAll());

afterAll(async () => {
  await test.close();
  storage.remove();
});

function abortAll(): void {
  for (const one of openUploads.splice(0)) one.abort();
}

/** A tenant with a call and `freeMib` MiB left of the storage of its plan. */
async function createScene(freeMib: number, plan: PlanName = 'free', planMib = 1024) {
  const tenant = await TestTenant.register(test, plan);
  const { owner } = tenant;
  const { link } = await tenant.queue();
  const { call_id: callId } = await tenant.join(link);
  const path = `/api/v1/calls/${callId}/upload`;
  await test
    .get(Database)
    .tenant(tenant.id, (tx) =>
      test.get(StorageUsage).add(tx, tenant.id, (planMib - freeMib) * MIB, 'file_bytes'),
    );
  const usedMib = async (): Promise<number> =>
    (await owner.api.get('/api/v1/billing/plan')).body.data.usage.storage_mb;
  return {
    tenant,
    callId,
    /** Sends the head of a form, so that its file begins, and nothing further. */
    begin: async ({ token }: Member = owner, length?: number) => {
      const one = await RawUpload.open(test, path, token, length);
      openUploads.push(one);
      if (length === undefined) await one.writeChunk(Buffer.from(`${PART_HEAD}content`));
      else await one.write(`${PART_HEAD}content`);
      return one;
    },
    send: (bytes: number, { token }: Member = owner) =>
      upload(test, path, [['file', Buffer.alloc(bytes, 'a'), 'file.bin']], { token }),
    usedMib,
    untilUsed: (mib: number) =>
      until(
        async () => (await usedMib()) === mib,
        () => `the usage was never ${mib} MiB`,
      ),
    /** Uploads that have not been answered. */
    inProgress: async (): Promise<number> => {
      const { rows } = await test.db.query<{ count: number }>(
        'SELECT count(*)::int FROM stored_objects WHERE tenant_id = $1 AND discard_at > now()',
        [tenant.id],
      );
      return rows[0]?.count ?? 0;
    },
  };
}

/** Waits until this many uploads have been answered. @returns their statuses */
async function answersOf(uploads: RawUpload[], count: number): Promise<number[]> {
  await until(() => uploads.filter(({ isAnswered }) => isAnswered).length >= count);
  return Promise.all(uploads.filter(({ isAnswered }) => isAnswered).map((one) => one.status()));
}

describe('multipart uploads in progress', () => {
  it('count with the limit of the route if their length is unknown, until they are aborted', async () => {
    const { begin, send, usedMib, untilUsed } = await createScene(10 * LIMIT_MIB);
    for (let count = 0; count < 10; count++) await begin();
    await untilUsed(1024);
    expectFailure(await send(1), 403, { code: 'plan_limit' });
    const next = await begin();
    expect(await next.status()).toBe(403);
    abortAll();
    await untilUsed(1024 - 10 * LIMIT_MIB);
    expect((await send(MIB)).status).toBe(201);
    expect(await usedMib()).toBe(1024 - 10 * LIMIT_MIB + 1);
  });

  it('count with their Content-Length if they have one', async () => {
    const { begin, send, untilUsed } = await createScene(3);
    const first = await begin(undefined, MIB + 2000);
    await begin(undefined, MIB + 2000);
    // Each reserves slightly more than 1 MiB.
    await untilUsed(1024);
    expectFailure(await send(MIB), 403, { code: 'plan_limit' });
    first.abort();
    await untilUsed(1023);
    expect((await send(MIB)).status).toBe(201);
  });

  it('of which a parallel one exceeds the limit are decided by the database', async () => {
    const { begin, usedMib, inProgress } = await createScene(5 * LIMIT_MIB);
    const uploads = await Promise.all(Array.from({ length: 15 }, () => begin()));
    expect(await answersOf(uploads, 10)).toEqual(Array(10).fill(403));
    await until(async () => (await inProgress()) === 5);
    expect(await usedMib()).toBe(1024);
    expect(uploads.filter(({ isAnswered }) => isAnswered)).toHaveLength(10);
  });

  it('count with their size once they are stored', async () => {
    const { begin, untilUsed, usedMib } = await createScene(LIMIT_MIB);
    const chunked = await begin();
    await untilUsed(1024);
    await chunked.writeChunk(Buffer.from(PART_END));
    await chunked.write('0\r\n\r\n');
    expect(await chunked.status()).toBe(201);
    expect(await usedMib()).toBe(1024 - LIMIT_MIB + 1);
  });

  it('leave their space when they are rejected', async () => {
    const { begin, untilUsed, usedMib } = await createScene(LIMIT_MIB);
    const oversized = await begin();
    await untilUsed(1024);
    await oversized.writeChunk(Buffer.alloc(LIMIT_MIB * MIB));
    expect(await oversized.status()).toBe(413);
    expect(await usedMib()).toBe(1024 - LIMIT_MIB);
  });

  it('leave their space to resumable uploads, and these to them', async () => {
    const { begin, callId, tenant, untilUsed } = await createScene(2 * LIMIT_MIB, 'basic', 20 * 1024);
    const peer = new TusClient(test.url, tenant.owner.token);
    const held = await begin();
    await untilUsed(20 * 1024 - LIMIT_MIB);
    expectFailure(await peer.create(callId, LIMIT_MIB * MIB + 1), 403, { code: 'plan_limit' });
    await peer.begin(callId, LIMIT_MIB * MIB);
    expect(await (await begin()).status()).toBe(403);
    held.abort();
    await untilUsed(20 * 1024 - LIMIT_MIB);
    await peer.begin(callId, LIMIT_MIB * MIB);
  });

  it('of a killed process count until their lease has expired', async () => {
    const { tenant, usedMib } = await createScene(LIMIT_MIB);
    await test.db.query(
      `INSERT INTO stored_objects (key, tenant_id, discard_at, reserved_bytes, uploaded_by)
       VALUES ($1, $2, now() + interval '1 minute', $3, $4)`,
      [`${tenant.id}/files/killed`, tenant.id, LIMIT_MIB * MIB, tenant.owner.id],
    );
    expect(await usedMib()).toBe(1024);
    await test.db.query('UPDATE stored_objects SET discard_at = now() WHERE tenant_id = $1', [tenant.id]);
    expect(await usedMib()).toBe(1024 - LIMIT_MIB);
  });
});

describe('a user', () => {
  it('has at most 20 multipart uploads in progress, also if they begin at the same time', async () => {
    const { begin, send, tenant, inProgress } = await createScene(0, 'enterprise', 0);
    const colleague = await tenant.member('manager');
    const uploads = await Promise.all(Array.from({ length: MAX_OPEN_UPLOADS + 5 }, () => begin()));
    expect(await answersOf(uploads, 5)).toEqual(Array(5).fill(422));
    await until(async () => (await inProgress()) === MAX_OPEN_UPLOADS);
    expectFailure(await send(1), 422, { code: 'too_many_uploads' });
    expect((await send(1, colleague)).status).toBe(201);
    abortAll();
    await until(async () => (await inProgress()) === 0);
    expect((await send(1)).status).toBe(201);
  });
});
