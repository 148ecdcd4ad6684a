import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ErasureJournal } from '../../src/customers/erasures/erasure-journal';
import { Clock } from '../../src/platform/clock/clock';
import { Database } from '../../src/platform/database/database';
import { STORAGE, type Storage } from '../../src/platform/storage/storage';
import { StorageVerifier } from '../../src/operator/storage/storage-verifier';
import { StoredObjectsService } from '../../src/platform/storage/stored-objects.service';
import { S3Peer } from '../support/peers/s3-peer';
import { ensureBuilt } from '../support/service/built-service';
import { Operator } from '../support/service/cli';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

beforeAll(ensureBuilt);

/** After this time an object without a row is not one that is being written. */
const OLD_SECONDS = 3601;

const content = () => Readable.from([Buffer.from('x')], { objectMode: false });

describe.each(['a folder', 'a bucket'])('storage verify with %s', (kind) => {
  const folder = new StorageFolder();
  let peer: S3Peer | undefined;
  let env: Record<string, string>;
  let test: TestApp;
  let storage: Storage;

  beforeAll(async () => {
    if (kind === 'a bucket') peer = await S3Peer.start();
    env = peer ? { STORAGE_URL: peer.url() } : folder.env;
    test = await startTestApp({ env });
    storage = test.app.get<Storage>(STORAGE, { strict: false });
  });

  afterAll(async () => {
    await test.close();
    await peer?.stop();
    folder.remove();
  });

  const tenantId = randomUUID();
  /** An object that a record keeps. */
  async function writeKept(): Promise<string> {
    const { key } = await test.get(StoredObjectsService).write(tenantId, 'files', content());
    await test.db.query('UPDATE stored_objects SET discard_at = NULL WHERE key = $1', [key]);
    return key;
  }

  const verify = () => new StorageVerifier(test.get(Database), test.get(Clock), storage).verify();

  it('finds nothing where rows and objects agree', async () => {
    // More than one page of the peer's listing.
    for (let count = 0; count < 5; count++) await writeKept();
    // Being uploaded: leased, without an object yet.
    await test.db.query(
      `INSERT INTO stored_objects (key, tenant_id, discard_at) VALUES ($1, $2, now() + interval '1 minute')`,
      [`${tenantId}/files/${randomUUID()}`, tenantId],
    );
    // Due for deletion, and still there.
    const due = await writeKept();
    await test.db.query(`UPDATE stored_objects SET discard_at = now() + interval '1 ms' WHERE key = $1`, [
      due,
    ]);
    await test.get(ErasureJournal).append({
      id: randomUUID(),
      kind: 'tenant',
      tenant_id: tenantId,
      subject_ids: [tenantId],
      erased_at: '2026-01-31T12:00:00.000Z',
      receipt: '',
    });
    await storage.write('of-others/file', content());
    test.clock.advance(OLD_SECONDS);
    expect(await verify()).toMatchObject({ missing_count: 0, missing: [], orphaned_count: 0, orphaned: [] });
    test.clock.reset();
  });

  it('lists what is missing and what is orphaned, and exits with 1 for the former', async () => {
    const missing = [await writeKept(), await writeKept()].toSorted();
    for (const key of missing) await storage.delete(key);
    await writeKept();
    const orphaned = [`${randomUUID()}/files/${randomUUID()}`];
    await storage.write(orphaned[0] ?? '', content());
    if (!peer) {
      // What a killed write has left of an object that is missing, and of one without a row.
      writeFileSync(join(folder.path, `${missing[0]}.part`), 'x');
      orphaned.push(`${orphaned[0]}0`);
      writeFileSync(join(folder.path, `${orphaned[1]}.part`), 'x');
    }
    // Whatever has just been written may still get its row.
    expect(await verify()).toMatchObject({ missing_count: 2, missing, orphaned_count: 0 });
    test.clock.advance(OLD_SECONDS);
    expect(await verify()).toMatchObject({ missing, orphaned_count: orphaned.length, orphaned });
    const { code, stdout } = await new Operator(test, env).tryRun(['storage', 'verify']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^\d+ stored, 2 missing, 0 orphaned, 0 unjournalled\n/);
    expect(stdout.match(/^missing {3}.*$/gm)).toEqual(missing.map((key) => `missing   ${key}`));
  });

  it('lists erasures that the journal lacks, and writes them to it again', async () => {
    const ids = [randomUUID(), randomUUID()].toSorted();
    await test.db.query(
      `INSERT INTO erasures (id, tenant_id, kind, subject_ids, erased_at, journalled_at)
       SELECT id, $2, 'customer', ARRAY[id], now() - interval '2 hours', CASE id WHEN $3 THEN NULL ELSE now() END
       FROM unnest($1::uuid[]) AS id`,
      [ids, tenantId, ids[0]],
    );
    const operator = new Operator(test, env);
    const { stdout, stderr } = await operator.tryRun(['storage', 'verify', '--repair-journal']);
    expect(stderr).toBe('');
    expect(stdout.match(/^unjournalled .*$/gm)?.toSorted()).toEqual(
      ids.map((id) => expect.stringContaining(id)),
    );
    await until(async () => {
      const journalled = await test.get(ErasureJournal).ids();
      return ids.every((id) => journalled.has(id));
    });
    expect((await operator.tryRun(['storage', 'verify'])).stdout).toContain(', 0 unjournalled\n');
  });
});
