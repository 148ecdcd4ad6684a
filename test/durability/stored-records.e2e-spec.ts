import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoredObjectsService } from '../../src/platform/storage/stored-objects.service';
import { expectStatus, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { upload } from '../support/http/multipart';
import { S3Peer } from '../support/peers/s3-peer';
import { StorageFolder } from '../support/service/storage-folder';
import { StoredObjectsScene } from '../support/database/stored-objects-scene';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const UNAVAILABLE = { code: 'storage_unavailable' };

let scene: StoredObjectsScene;
let tenant: TestTenant;
let callId: string;

beforeAll(async () => {
  scene = await StoredObjectsScene.start(new StorageFolder());
});

afterAll(() => scene.stop());

beforeEach(async () => {
  tenant = await TestTenant.register(scene.test);
  callId = (await tenant.join((await tenant.queue()).link)).call_id;
});

const uploadFile = (content: Buffer = randomBytes(1000), to = scene.test) =>
  upload(to, `/api/v1/calls/${callId}/upload`, [['file', content, 'notes.bin']], {
    token: tenant.owner.token,
  });

const listFiles = async () => (await tenant.owner.api.get(`/api/v1/calls/${callId}/files`)).body.data;

/** Uploads this many files. @returns the keys of their objects */
async function uploadFiles(count: number): Promise<string[]> {
  for (let n = 0; n < count; n++) expectStatus(await uploadFile(), 201);
  const keys = await scene.keysOf(tenant.id);
  expect(keys).toHaveLength(count);
  for (const key of keys) await scene.expectKept(key);
  return keys;
}

describe('the stored object of a file', () => {
  it.each([
    ['its row', 'DELETE FROM call_files WHERE tenant_id = $1'],
    ['its call', 'DELETE FROM calls WHERE tenant_id = $1'],
    ['its tenant', 'DELETE FROM tenants WHERE id = $1'],
  ])('is removed by the sweep after %s was deleted', async (_what, statement) => {
    const keys = await uploadFiles(3);
    const other = await scene.write();
    await scene.keep(other.key);
    await scene.test.db.query(statement, [tenant.id]);
    await scene.sweepUntilGone(keys);
    await scene.expectKept(other.key);
  });

  it('stays when the deletion is rolled back', async () => {
    const keys = await uploadFiles(1);
    await scene.test.db.query('BEGIN');
    await scene.test.db.query('DELETE FROM calls WHERE tenant_id = $1', [tenant.id]);
    await scene.test.db.query('ROLLBACK');
    await scene.objects.sweep();
    for (const key of keys) await scene.expectKept(key);
  });

  it('is removed when its tenant is deleted while it is being written', async () => {
    const content = async function* () {
      yield Buffer.from('con');
      await scene.test.db.query('DELETE FROM tenants WHERE id = $1', [tenant.id]);
      yield Buffer.from('tent');
    };
    const writing = scene.objects.write(tenant.id, 'probes', content());
    await expect(writing).rejects.toMatchObject({ status: 503, ...UNAVAILABLE });
    const keys = await scene.keysOf(tenant.id);
    await scene.endLeases(keys);
    await scene.sweepUntilGone(keys);
    expect(scene.filesOf(tenant.id)).toEqual([]);
  });

  it('answers 404 when the storage has lost it', async () => {
    const [key = ''] = await uploadFiles(1);
    const [{ url }] = await listFiles();
    expectStatus(await tenant.owner.api.get(url), 200);
    rmSync(join(scene.folder.path, key));
    expectFailure(await tenant.owner.api.get(url), 404, { code: 'not_found' });
  });
});

describe('an upload', () => {
  it('fails with 503 while the folder cannot be written, and works afterwards', async () => {
    const obstacle = join(scene.folder.path, tenant.id);
    writeFileSync(obstacle, 'in the way');
    const answer = await uploadFile(randomBytes(2_000_000));
    expectFailure(answer, 503, UNAVAILABLE);
    expect(answer.headers.get('retry-after')).toMatch(/^[123]$/);
    rmSync(obstacle);
    expectStatus(await uploadFile(), 201);
  });
});

describe('with a bucket', () => {
  let bucket: S3Peer;
  let bucketApp: TestApp;

  beforeAll(async () => {
    bucket = await S3Peer.start();
    bucketApp = await startTestApp({
      databaseUrl: scene.test.databaseUrl,
      env: { STORAGE_URL: bucket.url() },
    });
    // The other application would look for the objects of the bucket in its folder.
    await scene.test.db.query(`DELETE FROM pgboss.schedule WHERE name = 'sweep-stored-objects'`);
  });

  afterAll(async () => {
    await bucketApp.close();
    await bucket.stop();
  });

  it('a file is sent as a whole where the bucket ignores ranges', async () => {
    const content = randomBytes(1000);
    expectStatus(await uploadFile(content, bucketApp), 201);
    const [{ url }] = (await bucketApp.api.as(tenant.owner.token).get(`/api/v1/calls/${callId}/files`)).body
      .data;
    const read = async (range: string) => {
      const headers = { authorization: `Bearer ${tenant.owner.token}`, range };
      const response = await fetch(bucketApp.url + url, { headers });
      const body = Buffer.from(await response.arrayBuffer());
      return [response.status, response.headers.get('content-range'), body.toString('hex')];
    };
    const part = [206, 'bytes 100-199/1000', content.subarray(100, 200).toString('hex')];
    expect(await read('bytes=100-199')).toEqual(part);
    bucket.ignoresRange = true;
    for (const range of ['bytes=100-199', 'bytes=0-0', 'bytes=-1', 'bytes=0-']) {
      const [status, contentRange, body] = await read(range);
      expect(body).toBe(content.toString('hex'));
      expect([status, contentRange]).toEqual(range === 'bytes=0-' ? [206, 'bytes 0-999/1000'] : [200, null]);
    }
    bucket.ignoresRange = false;
    expect(await read('bytes=100-199')).toEqual(part);
    await scene.test.db.query('DELETE FROM calls WHERE tenant_id = $1', [tenant.id]);
    await until(async () => {
      await bucketApp.get(StoredObjectsService).sweep();
      return bucket.keys().length === 0;
    });
  });

  it('uploads fail with 503 while it is unreachable or refuses, and leave nothing behind', async () => {
    const api = bucketApp.api.as(tenant.owner.token);
    const sendAll = async () => {
      const answers = [];
      for (const size of [1000, 20_000_000]) answers.push(await uploadFile(randomBytes(size), bucketApp));
      return answers;
    };
    for (const answer of await sendAll()) expectStatus(answer, 201);
    const [{ url }] = (await api.get(`/api/v1/calls/${callId}/files`)).body.data;

    await bucket.disconnect();
    for (const answer of await sendAll()) expectFailure(answer, 503, UNAVAILABLE);
    expectFailure(await api.get(url), 503, UNAVAILABLE);
    await bucket.listen();
    const stopRefusing = bucket.failRequests(507, (method) => method === 'PUT');
    for (const answer of await sendAll()) expectFailure(answer, 503, UNAVAILABLE);
    stopRefusing();
    expect([bucket.keys().length, bucket.uploads()]).toEqual([2, []]);
    expectStatus(await api.get(url), 200);

    await scene.test.db.query('DELETE FROM calls WHERE tenant_id = $1', [tenant.id]);
    await until(async () => {
      await bucketApp.get(StoredObjectsService).sweep();
      return bucket.keys().length === 0;
    });
  }, 60_000);
});
