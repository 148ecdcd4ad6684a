import { Client } from 'pg';
import { CountConnectionLimiter } from '../../src/platform/database/connections/count-connection-limiter';
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

  it('waits for other counts of the company, so that it leaves connections to other requests', async () => {
    await insertFailedDelivery(test.db, tenant.id, webhook.id);
    const limiter = test.get(CountConnectionLimiter);
    const release = await limiter.acquire(tenant.id);
    let isAnswered = false;
    const answer = replay(webhook.id).finally(() => (isAnswered = true));
    try {
      await until(() => limiter['tenants'].usersOf(tenant.id) === 2);
      expect(isAnswered).toBe(false);
    } finally {
      release();
    }
    expect((await answer).body.data).toEqual({ count: 1 });
  });
});
