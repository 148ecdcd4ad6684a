import { createHash, randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../src/platform/database/database';
import { someId } from '../support/builders';
import { StorageFolder } from '../support/service/storage-folder';
import { chunks, StoredObjectsScene } from '../support/database/stored-objects-scene';
import { until } from '../support/until';

const REFUSED = { status: 503, code: 'storage_unavailable' };

let scene: StoredObjectsScene;

beforeAll(async () => {
  scene = await StoredObjectsScene.start(new StorageFolder());
});

afterAll(() => scene.stop());

describe('writing an object', () => {
  it('returns its size and hash and leases it for 15 minutes', async () => {
    const object = await scene.write();
    expect(object).toEqual({
      key: expect.stringMatching(/^[0-9a-f-]{36}\/probes\/[0-9a-f-]{36}$/),
      size: 7,
      sha256: createHash('sha256').update('content').digest('hex'),
    });
    await scene.expectLeased(object.key);
    await scene.objects.sweep();
    await scene.expectLeased(object.key);
  });

  it('removes partial content and rethrows the error when the content fails', async () => {
    const tenantId = someId();
    const failure = new Error('the sender has gone');
    let begun: string[] = [];
    const content = async function* () {
      yield randomBytes(1_000_000);
      await until(() => scene.filesOf(tenantId).length > 0);
      begun = await scene.keysOf(tenantId);
      throw failure;
    };
    await expect(scene.objects.write(tenantId, 'probes', content())).rejects.toBe(failure);
    expect(begun).toHaveLength(1);
    expect(await scene.keysOf(tenantId)).toEqual([]);
    expect(scene.filesOf(tenantId)).toEqual([]);
  });

  it('fails with 503 when the storage fails, and the sweep removes the remains', async () => {
    const tenantId = someId();
    const obstacle = join(scene.folder.path, tenantId);
    writeFileSync(obstacle, 'in the way');
    await expect(scene.write(tenantId)).rejects.toMatchObject(REFUSED);
    const keys = await scene.keysOf(tenantId);
    expect(await scene.rowOf(keys[0] ?? '')).toEqual({ kept: false, lease: 15 });
    rmSync(obstacle);
    await scene.endLeases(keys);
    await scene.sweepUntilGone(keys);
  });

  it('keeps its lease, but not the space that it reserved, when the storage fails', async () => {
    const tenantId = someId();
    const obstacle = join(scene.folder.path, tenantId);
    writeFileSync(obstacle, 'in the way');
    const reservation = { user_id: someId(), bytes: 7, ensureAllowed: async () => {} };
    const writing = scene.objects.write(tenantId, 'probes', chunks('content'), reservation);
    await expect(writing).rejects.toMatchObject(REFUSED);
    expect(await scene.reservedBytesOf(tenantId)).toEqual([null]);
    rmSync(obstacle);
    const keys = await scene.keysOf(tenantId);
    expect(await scene.rowOf(keys[0] ?? '')).toEqual({ kept: false, lease: 15 });
    await scene.endLeases(keys);
    await scene.sweepUntilGone(keys);
  });

  it('fails and leaves no file when its lease ended and it was swept in the meantime', async () => {
    const tenantId = someId();
    let keys: string[] = [];
    const content = async function* () {
      yield Buffer.from('con');
      keys = await scene.keysOf(tenantId);
      await scene.endLeases(keys);
      await scene.sweepUntilGone(keys);
      // The sweep may fail to remove a file that is still being written.
      writeFileSync(join(scene.folder.path, `${keys[0]}.part`), 'con');
      yield Buffer.from('tent');
    };
    await expect(scene.objects.write(tenantId, 'probes', content())).rejects.toMatchObject(REFUSED);
    expect(scene.filesOf(tenantId)).toEqual([]);
    // The row remains, so that the sweep checks once more in case the storage was slow.
    expect(await scene.keysOf(tenantId)).toEqual(keys);
    await scene.endLeases(keys);
    await scene.sweepUntilGone(keys);
  });
});

describe('keeping an object', () => {
  it('is permanent', async () => {
    const { key } = await scene.write();
    await scene.keep(key);
    await scene.endLeases([key]);
    await scene.objects.sweep();
    await scene.objects.discard(key);
    await scene.expectKept(key);
  });

  it('is rolled back with its transaction', async () => {
    const { key } = await scene.write();
    const rolledBack = scene.keep(key, () => Promise.reject(new Error('no record')));
    await expect(rolledBack).rejects.toThrow('no record');
    await scene.expectLeased(key);
    await scene.objects.discard(key);
    await scene.expectGone(key);
  });

  it('fails with 503 after the lease has ended and for an object that was never stored', async () => {
    const [late, swept] = await Promise.all([scene.write(), scene.write()]);
    await scene.endLeases([late.key, swept.key]);
    await expect(scene.keep(late.key)).rejects.toMatchObject(REFUSED);
    await scene.sweepUntilGone([late.key, swept.key]);
    await expect(scene.keep(swept.key)).rejects.toMatchObject(REFUSED);
    await expect(scene.keep(`${someId()}/probes/${someId()}`)).rejects.toMatchObject(REFUSED);
  });

  it("fails with 503 for another tenant's object", async () => {
    const { key } = await scene.write();
    const other = scene.test.get(Database).tenant(someId(), (tx) => scene.objects.keep(tx, key));
    await expect(other).rejects.toMatchObject(REFUSED);
    await scene.expectLeased(key);
  });
});

describe('discarding an object', () => {
  it('deletes it immediately and ignores an object that does not exist', async () => {
    const { key } = await scene.write();
    await scene.objects.discard(key);
    await scene.expectGone(key);
    await scene.objects.discard(key);
    await scene.objects.discard(`${someId()}/probes/${someId()}`);
  });

  it('waits for a transaction that is keeping it', async () => {
    const { key } = await scene.write();
    let discarded: Promise<void> | undefined;
    await scene.keep(key, async () => {
      discarded = scene.objects.discard(key);
      await until(async () => {
        const { rows } = await scene.test.db.query(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%stored_objects%'`,
        );
        return rows.length > 0;
      });
    });
    await discarded;
    await scene.expectKept(key);
  });

  it('leaves an object that cannot be deleted to the sweep', async () => {
    const { key } = await scene.write();
    const makeDeletable = scene.makeUndeletable(key);
    await scene.objects.discard(key);
    expect(await scene.rowOf(key)).toMatchObject({ kept: false });
    await expect(scene.keep(key)).rejects.toMatchObject(REFUSED);
    makeDeletable();
    await scene.sweepUntilGone([key]);
  });
});
