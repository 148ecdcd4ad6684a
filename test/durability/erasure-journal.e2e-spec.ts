import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ErasureFollowUp } from '../../src/customers/erasures/erasure-follow-up';
import { Clock } from '../../src/platform/clock/clock';
import { Database } from '../../src/platform/database/database';
import { Jobs } from '../../src/platform/jobs/jobs';
import { OutboundGate } from '../../src/platform/database/installation/outbound-gate';
import { ReceiptKeys } from '../../src/customers/erasures/receipt-keys';
import { ErasureJournal } from '../../src/customers/erasures/erasure-journal';
import { LocalStorage } from '../../src/platform/storage/local-storage';
import { waitForLockWaiters } from '../support/database/lock-waiters';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';

const storage = new StorageFolder();
let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ env: storage.env });
});

afterAll(async () => {
  await test.close();
  storage.remove();
});

/** What another instance does, on the same database and with the same folder. */
const instanceWith = (itsStorage: LocalStorage) =>
  new ErasureFollowUp(
    test.get(Database),
    test.get(Jobs),
    new ErasureJournal(itsStorage),
    test.get(ReceiptKeys),
    test.get(Clock),
    test.get(OutboundGate),
  );

/** A folder that is slow: each write begins when `resume` was called. */
class SlowStorage extends LocalStorage {
  private readonly resumed = Promise.withResolvers<void>();
  private readonly begun = Promise.withResolvers<void>();
  /** Fulfilled when a write has begun. */
  readonly isWriting = this.begun.promise;

  resume(): void {
    this.resumed.resolve();
  }

  override async write(key: string, content: Readable): Promise<void> {
    this.begun.resolve();
    await this.resumed.promise;
    await super.write(key, content);
  }
}

/** An erasure that has not been journalled. @param objects how many its receipt waits for */
async function recordErasure(objects: number): Promise<string> {
  const [id, tenantId] = [randomUUID(), randomUUID()];
  await test.db.query(
    `INSERT INTO stored_objects (key, tenant_id, erasure_id, bytes, discard_at)
     SELECT concat($2::uuid, '/files/', gen_random_uuid()), $2, $1, 1, 'infinity' FROM generate_series(1, $3)`,
    [id, tenantId, objects],
  );
  const contents = {
    requested_by: 'operator',
    tables: {},
    storage_objects: { count: objects, bytes: objects },
  };
  await test.db.query(
    `INSERT INTO erasures (id, tenant_id, kind, subject_ids, contents, erased_at)
     VALUES ($1, $2, 'tenant', ARRAY[$2::uuid], $3, now())`,
    [id, tenantId, contents],
  );
  return id;
}

const deleteObjectsOf = (id: string) =>
  test.db.query('DELETE FROM stored_objects WHERE erasure_id = $1', [id]);

/** The receipts of an erasure in the journal, in the order of the entries. */
async function journalledReceipts(erasureId: string): Promise<(string | null)[]> {
  const receipts: (string | null)[] = [];
  for await (const { id, receipt } of test.get(ErasureJournal).entries()) {
    if (id === erasureId) receipts.push(receipt);
  }
  return receipts;
}

const stateOf = async (id: string) => {
  const { rows } = await test.db.query(
    'SELECT receipt, journalled_at IS NOT NULL AS is_journalled FROM erasures WHERE id = $1',
    [id],
  );
  return rows[0];
};

it('an instance that is slow to journal an erasure leaves the receipt that another one signs meanwhile', async () => {
  const id = await recordErasure(1);
  const slow = new SlowStorage(storage.path);
  const first = instanceWith(slow).run();
  await slow.isWriting;
  await deleteObjectsOf(id);
  const second = instanceWith(new LocalStorage(storage.path)).run();
  await Promise.race([second, waitForLockWaiters(test)]);
  slow.resume();
  await Promise.all([first, second]);

  const { receipt, is_journalled } = await stateOf(id);
  expect([typeof receipt, is_journalled]).toEqual(['string', true]);
  expect(await journalledReceipts(id)).toEqual([null, receipt]);
});

it('instances that follow up the same erasures at the same time journal each of them', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 20; count++) ids.push(await recordErasure(0));
  const instances = Array.from({ length: 4 }, () => instanceWith(new LocalStorage(storage.path)));
  await Promise.all(instances.map((instance) => instance.run()));
  for (const id of ids) {
    const { receipt, is_journalled } = await stateOf(id);
    expect([typeof receipt, is_journalled]).toEqual(['string', true]);
    expect((await journalledReceipts(id)).at(-1)).toBe(receipt);
  }
  expect(storage.journal().filter((path) => path.endsWith('.part'))).toEqual([]);
});

it('the objects of an erasure are found by an index among all that are due', async () => {
  await recordErasure(5000);
  await test.db.query('ANALYZE stored_objects');
  const { rows } = await test.db.query(
    `EXPLAIN SELECT count(*) FROM stored_objects WHERE discard_at IS NOT NULL AND erasure_id = $1`,
    [randomUUID()],
  );
  expect(JSON.stringify(rows)).toContain('stored_objects_erasure_idx');
});
