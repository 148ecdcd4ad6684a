import { Client } from 'pg';
import { beginLargeRead } from '../support/contexts/large-reads';
import { LargeReads } from '../../src/platform/database/connections/large-reads';
import type { Json } from '../support/http/api';
import { expectStatus, someId, TestTenant } from '../support/builders';
import { createWebhook, insertFailedDelivery } from '../support/contexts/webhooks';
import { expectFailure } from '../support/database/failures';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

describe('a replay of deliveries', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let webhook: Json;

  beforeAll(async () => {
    test = await sharedTestApp();
  });

  beforeEach(async () => {
    tenant = await TestTenant.register(test);
    webhook = await createWebhook(tenant);
  });

  afterAll(() => test.close());

  const replay = (id: string) =>
    tenant.owner.api.post(`/api/v1/webhooks/${id}/replay`, { from: '2026-01-01T00:00:00Z' });

  it('is refused before the deliveries are counted if the webhook does not exist or is not active', async () => {
    const inactive = await createWebhook(tenant);
    const path = `/api/v1/webhooks/${inactive.id}`;
    expectStatus(await tenant.owner.api.put(path, { active: false }), 200);
    const holder = new Client({ connectionString: test.databaseUrl });
    await holder.connect();
    // A count of deliveries would wait for this lock.
    await holder.query('BEGIN; LOCK webhook_deliveries IN ACCESS EXCLUSIVE MODE');
    try {
      expectFailure(await replay(someId()), 404, { code: 'not_found' });
      expectFailure(await replay(inactive.id), 422, { code: 'webhook_inactive' });
    } finally {
      await holder.end();
    }
  });

  it.each([
    ['America/Sao_Paulo', '9999-12-31'],
    ['Asia/Tokyo', '9999-12-31'],
    ['UTC', '9999-12-31T23:59:59-01:00'],
  ])('ends when it is requested, also in %s with the end %s', async (timezone, to) => {
    expectStatus(await tenant.owner.api.put('/api/v1/tenant', { timezone }), 200);
    const [past, later] = [
      await insertFailedDelivery(test.db, tenant.id, webhook.id),
      await insertFailedDelivery(test.db, tenant.id, webhook.id),
    ];
    await test.db.query(
      `UPDATE webhook_deliveries SET inserted_at = now() + interval '1 minute' WHERE id = $1`,
      [later],
    );
    const answer = await tenant.owner.api.post(`/api/v1/webhooks/${webhook.id}/replay`, {
      from: '2026-01-01',
      to,
    });
    expect(answer.body).toEqual({ data: { count: 1 } });
    const replayed = `SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND replayed_at IS NOT NULL`;
    const rows = await until(async () => {
      const found = await test.db.query<{ id: string }>(replayed, [webhook.id]);
      return found.rows.length > 0 && found.rows;
    });
    expect(rows).toEqual([{ id: past }]);
  });

  it.each(['2027-01-01', '9999-12-31T23:30:00-03:00'])('is refused from a future time: %s', async (from) => {
    await insertFailedDelivery(test.db, tenant.id, webhook.id);
    const answer = await tenant.owner.api.post(`/api/v1/webhooks/${webhook.id}/replay`, { from });
    expectFailure(answer, 422, { field: 'from' });
  });

  it('waits for other large reads of the company, so that it leaves connections to other requests', async () => {
    await insertFailedDelivery(test.db, tenant.id, webhook.id);
    const largeReads = test.get(LargeReads);
    const release = await beginLargeRead(test, tenant.id);
    let isAnswered = false;
    const answer = replay(webhook.id).finally(() => (isAnswered = true));
    try {
      await until(() => largeReads.usersOf(tenant.id) === 2);
      expect(isAnswered).toBe(false);
    } finally {
      release();
    }
    expect((await answer).body.data).toEqual({ count: 1 });
  });
});
