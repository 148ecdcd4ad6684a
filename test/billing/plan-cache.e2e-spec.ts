import { SubscriptionWriter } from '../../src/plans/subscription-writer';
import { Database } from '../../src/platform/database/database';
import { expectStatus, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { oneTo } from '../support/database/rows';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;

beforeAll(async () => {
  test = await sharedTestApp();
});

afterEach(() => jest.restoreAllMocks());
afterAll(() => test.close());

/** Requests a report that the plans advanced and above include. */
const requestTrends = ({ owner }: TestTenant) => owner.api.get('/api/v1/analytics/trends');

const expectRefused = async (tenant: TestTenant) =>
  expectFailure(await requestTrends(tenant), 403, { code: 'feature_not_in_plan' });

/** Changes the plan as another process does: no event is published in this one. */
const changeElsewhere = ({ id }: TestTenant, plan: string) =>
  test.db.query('UPDATE subscriptions SET plan = $2 WHERE tenant_id = $1', [id, plan]);

describe('requests that depend on the plan', () => {
  it('do not read it each time', async () => {
    const tenant = await TestTenant.register(test, 'advanced');
    expectStatus(await requestTrends(tenant), 200);
    const reads = [
      jest.spyOn(test.get(Database), 'readSystem'),
      jest.spyOn(test.get(Database), 'readTenant'),
    ];
    test.clock.stop();
    for (const _ of oneTo(10)) expectStatus(await requestTrends(tenant), 200);
    const texts = reads.flatMap((read) => read.mock.calls.flat(2)).map((part) => JSON.stringify(part));
    expect(texts.filter((text) => text.includes('FROM subscriptions'))).toEqual([]);
    test.clock.reset();
  });

  it('are refused as soon as the plan has changed', async () => {
    const tenant = await TestTenant.register(test, 'advanced');
    expectStatus(await requestTrends(tenant), 200);
    const change = (plan: 'basic' | 'professional') =>
      test
        .get(Database)
        .tenant(tenant.id, (tx) => test.get(SubscriptionWriter).changePlan(tx, tenant.id, plan));
    await change('basic');
    await expectRefused(tenant);
    await change('professional');
    expectStatus(await requestTrends(tenant), 200);
  });

  it('are refused within 5 s after another process has changed the plan', async () => {
    const tenant = await TestTenant.register(test, 'advanced');
    expectStatus(await requestTrends(tenant), 200);
    await changeElsewhere(tenant, 'basic');
    test.clock.advance(5);
    await expectRefused(tenant);
  });

  it('are not refused by a plan that another process has replaced', async () => {
    const tenant = await TestTenant.register(test, 'basic');
    await expectRefused(tenant);
    await changeElsewhere(tenant, 'advanced');
    expectStatus(await requestTrends(tenant), 200);
  });
});
