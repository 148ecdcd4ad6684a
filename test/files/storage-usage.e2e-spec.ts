import { StorageUsage } from '../../src/plans/storage-usage';
import { Database } from '../../src/platform/database/database';
import { type PayingTenant, registerPendingTenant } from '../support/peers/payment-gateway';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;

beforeAll(async () => {
  test = await sharedTestApp();
});

afterAll(() => test.close());

/** Adds to the tenant's recording storage in a transaction of its own. */
const addRecordingBytes = (tenantId: string, bytes: number) =>
  test.get(Database).tenant(tenantId, (tx) => test.get(StorageUsage).add(tx, tenantId, bytes));

describe('the recording storage of a tenant', () => {
  let tenant: PayingTenant;

  beforeEach(async () => {
    tenant = await registerPendingTenant(test);
  });

  const megabytes = async () =>
    (await tenant.owner.api.get('/api/v1/billing/plan')).body.data.usage.recording_storage_mb;

  const bytes = async () => {
    const { rows } = await test.db.query('SELECT recording_bytes FROM storage_usage WHERE tenant_id = $1', [
      tenant.id,
    ]);
    return Number(rows[0]?.recording_bytes ?? 0);
  };

  it('is shown in megabytes, rounded up', async () => {
    expect(await megabytes()).toBe(0);
    for (const [added, shown] of [
      [1, 1],
      [999_999, 1],
      [1, 2],
      [-1, 1],
      [-1_000_000, 0],
      [5_000_000_000_000, 5_000_000],
    ] as const) {
      await addRecordingBytes(tenant.id, added);
      expect(await megabytes()).toBe(shown);
    }
  });

  it('is exact after concurrent additions and deletions', async () => {
    await addRecordingBytes(tenant.id, 1000);
    const changes = Array.from({ length: 60 }, (_, n) => (n % 3 === 2 ? -(n + 1) : n * 7 + 1));
    await Promise.all(changes.map((change) => addRecordingBytes(tenant.id, change)));
    expect(await bytes()).toBe(changes.reduce((sum, change) => sum + change, 1000));
  });

  it('is created once by concurrent first additions', async () => {
    await Promise.all(Array.from({ length: 12 }, () => addRecordingBytes(tenant.id, 7)));
    expect(await bytes()).toBe(84);
  });

  it('is rolled back with the transaction that changed it', async () => {
    await addRecordingBytes(tenant.id, 500);
    for (const change of [300, -300]) {
      const work = test.get(Database).tenant(tenant.id, async (tx) => {
        await test.get(StorageUsage).add(tx, tenant.id, change);
        throw new Error('nothing was stored after all');
      });
      await expect(work).rejects.toThrow('nothing was stored after all');
    }
    expect(await bytes()).toBe(500);
  });

  it('never falls below zero, also when more is deleted than was stored', async () => {
    await addRecordingBytes(tenant.id, -10);
    expect(await bytes()).toBe(0);
    await addRecordingBytes(tenant.id, 100);
    await Promise.all(Array.from({ length: 5 }, () => addRecordingBytes(tenant.id, -30)));
    expect(await bytes()).toBe(0);
    await addRecordingBytes(tenant.id, 40);
    expect(await bytes()).toBe(40);
  });

  it('cannot be changed by another tenant', async () => {
    const other = await registerPendingTenant(test);
    await addRecordingBytes(tenant.id, 500);
    const foreignChange = test
      .get(Database)
      .tenant(other.id, (tx) => test.get(StorageUsage).add(tx, tenant.id, 1_000_000));
    await expect(foreignChange).rejects.toThrow(/row-level security/);
    expect(await bytes()).toBe(500);
  });
});
