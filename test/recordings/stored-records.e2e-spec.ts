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

const send = (content: Buffer = randomBytes(1000), to = scene.test) =>
  upload(to, `/api/v1/calls/${callId}/upload`, [['file', content, 'notes.bin']], {
    token: tenant.owner.token,
  });

const files = async () => (await tenant.owner.api.get(`/api/v1/calls/${callId}/files`)).body.data;

/** Adds so many files. @returns the keys of their objects */
async function filed(count: number): Promise<string[]> {
  for (let n = 0; n < count; n++) expectStatus(await send(), 201);
  const keys = await scene.keysOf(tenant.id);
  expect(keys).toHaveLength(count);
  for (const key of keys) await scene.expectKept(key);
  return keys;
}

describe('the object of a record', () => {
  it.each([
    ['the record', 'DELETE FROM call_files WHERE tenant_id = $1'],
    ['what it belongs to', 'DELETE FROM calls WHERE tenant_id = $1'],
    ['the tenant', 'DELETE FROM tenants WHERE id = $1'],
  ])('goes with the sweep after %s was deleted', async (_what, statement) => {
    const keys = await filed(3);
    const other = await scene.write();
    await scene.keep(other.key);
    await scene.test.db.query(statement, [tenant.id]);
    await scene.sweepAway(keys);
    await scene.expectKept(other.key);
  });

  it('stays when the deletion is undone', async () => {
    const keys = await filed(1);
    await scene.test.db.query('BEGIN');
    await scene.test.db.query('DELETE FROM calls WHERE tenant_id = $1', [tenant.id]);
    await scene.test.db.query('ROLLBACK');
    await scene.objects.sweep();
    for (const key of keys) await scene.expectKept(key);
  });

  it('goes, though it is still being written, when its tenant does', async () => {
    const content = async function* () {
      yield Buffer.from('con');
      await scene.test.db.query('DELETE FROM tenants WHERE id = $1', [tenant.id]);
      yield Buffer.from('tent');
    };
    const writing = scene.objects.write(tenant.id, 'probes', content());
    await expect(writing).rejects.toMatchObject({ status: 503, ...UNAVAILABLE });
    const keys = await scene.keysOf(tenant.id);
    await scene.endLeases(keys);
    await scene.sweepAway(keys);
    expect(scene.filesOf(tenant.id)).toEqual([]);
  });

  it('is 404 where the storage has lost it', async () => {
    const [key = ''] = await filed(1);
    const [{ url }] = await files();
    expectStatus(await tenant.owner.api.get(url), 200);
    rmSync(join(scene.folder.path, key));
    expectFailure(await tenant.owner.api.get(url), 404, { code: 'not_found' });
  });
});

describe('an upload', () => {
  it('is 503 in the one shape where the folder takes nothing, and the service goes on', async () => {
    const obstacle = join(scene.folder.path, tenant.id);
    writeFileSync(obstacle, 'in the way');
    const answer = await send(randomBytes(2_000_000));
    expectFailure(answer, 503, UNAVAILABLE);
    expect(answer.headers.get('retry-after')).toBe('5');
    rmSync(obstacle);
    expectStatus(await send(), 201);
  });
});

describe('with a bucket', () => {
  let peer: S3Peer;
  let second: TestApp;

  beforeAll(async () => {
    peer = await S3Peer.start();
    second = await startTestApp({ databaseUrl: scene.test.databaseUrl, env: { STORAGE_URL: peer.url() } });
  });

  afterAll(async () => {
    await second.close();
    await peer.stop();
  });

  it('uploads are 503 in the one shape while it is away or refuses, and nothing of them stays', async () => {
    const api = second.api.as(tenant.owner.token);
    const sendAll = async () => {
      const answers = [];
      for (const size of [1000, 20_000_000]) answers.push(await send(randomBytes(size), second));
      return answers;
    };
    for (const answer of await sendAll()) expectStatus(answer, 201);
    const [{ url }] = (await api.get(`/api/v1/calls/${callId}/files`)).body.data;

    await peer.hangUp();
    for (const answer of await sendAll()) expectFailure(answer, 503, UNAVAILABLE);
    expectFailure(await api.get(url), 503, UNAVAILABLE);
    await peer.listen();
    const end = peer.refuse(507, (method) => method === 'PUT');
    for (const answer of await sendAll()) expectFailure(answer, 503, UNAVAILABLE);
    end();
    expect([peer.keys().length, peer.uploads()]).toEqual([2, []]);
    expectStatus(await api.get(url), 200);

    await scene.test.db.query('DELETE FROM calls WHERE tenant_id = $1', [tenant.id]);
    await until(async () => {
      await second.get(StoredObjectsService).sweep();
      return peer.keys().length === 0;
    });
  }, 60_000);
});
