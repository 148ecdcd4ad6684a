import { PaymentNotificationsService } from '../../src/billing/payment-notifications.service';
import { asSuperuser } from '../support/database/database';
import {
  applied,
  chargeId,
  deliver,
  expectReceived,
  notify,
  pay,
  pendingTenants,
  standing,
  startGatewayApp,
} from '../support/peers/payment-gateway';
import {
  byTheRules,
  CHARGE_A,
  forEach,
  MIXED,
  type News,
  NEXT_MONTH,
  on,
  PAID_LATE,
  PENDING,
  toNotifications,
} from '../support/contexts/payment-histories';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

let test: TestApp;

beforeAll(async () => {
  test = await startGatewayApp();
});

afterAll(() => test.close());

function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((others) => [item, ...others]),
  );
}

const createPendingTenant = async () => (await pendingTenants(test, 1))[0] ?? '';

/** The number of database sessions that wait for a lock. */
async function countLockWaiters(): Promise<number> {
  const { rows } = await test.db.query(
    `SELECT count(*)::int AS sessions FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0].sessions;
}

describe('the final state of a subscription is independent of the order of arrival', () => {
  // Where only some orders are tried, every event still occurs in every position.
  it.each<[string, News[], number]>([
    ['all 120 orders of: paid, refunded, paid the next month', NEXT_MONTH, 1],
    ['120 of 720 orders of: paid, refunded, overdue, paid late', PAID_LATE, 6],
    ['40 of 120 orders of: overdue, paid, paid again, the older one refunded', MIXED, 3],
  ])('%s', async (_what, history, every) => {
    const orders = permutations(history).filter((_, index) => index % every === 0);
    const tenants = await pendingTenants(test, orders.length);
    await forEach(tenants, async (tenant, index) => {
      for (const body of toNotifications(tenant, orders[index] ?? [])) {
        expectReceived(await deliver(test, body));
      }
    });
    await applied(test, 20_000);
    const expected = byTheRules(history);
    expect(expected.status).toBe('active');
    for (const [index, tenant] of tenants.entries()) {
      const order = orders[index]?.map(({ event, charge }) => `${event} ${charge}`);
      expect({ order, ...(await standing(test, tenant)) }).toEqual({ order, ...expected });
    }
  });

  it.each<[string, News[]]>([
    ['canceled', CHARGE_A],
    ['active', NEXT_MONTH],
    ['past_due', PAID_LATE.slice(0, -1)],
  ])('for concurrent notifications that arrive three times each: %s', async (status, history) => {
    const tenants = await pendingTenants(test, 6);
    await Promise.all(
      tenants.flatMap((tenant) => {
        const bodies = toNotifications(tenant, history);
        return [...bodies, ...bodies.toReversed(), ...bodies].map(async (body) =>
          expectReceived(await deliver(test, body)),
        );
      }),
    );
    await applied(test);
    const expected = byTheRules(history);
    expect(expected.status).toBe(status);
    for (const tenant of tenants) expect(await standing(test, tenant)).toEqual(expected);
    const { rows } = await test.db.query(
      'SELECT count(*)::int AS events FROM gateway_events WHERE tenant_id = ANY ($1) GROUP BY tenant_id',
      [tenants],
    );
    expect(rows).toEqual(tenants.map(() => ({ events: history.length })));
  });

  it('for two instances that apply notifications at once, which take turns', async () => {
    const tenant = await createPendingTenant();
    const charge = chargeId();
    await pay(test, tenant, 'PAYMENT_CONFIRMED', { charge, at: on('01-31') });
    await asSuperuser(test.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM subscriptions WHERE tenant_id = $1 FOR UPDATE', [tenant]);
      // This instance computes "canceled" and waits for the lock to write it.
      await notify(test, tenant, 'PAYMENT_REFUNDED', { charge, at: on('02-02') });
      await until(async () => (await countLockWaiters()) === 1);
      await notify(test, tenant, 'PAYMENT_CONFIRMED', { at: on('02-03') });
      // Deletes the queued job, as if the other instance had taken it.
      await test.db.query(`DELETE FROM pgboss.job WHERE name = 'apply-payments' AND state = 'created'`);
      let done = false;
      const other = test.get(PaymentNotificationsService).refreshSubscription(tenant);
      void other.then(() => (done = true));
      await until(async () => done || (await countLockWaiters()) === 2);
      await client.query('COMMIT');
      await other;
    });
    await applied(test);
    const expected = { status: 'active', current_period_start: on('02-03') };
    expect(await standing(test, tenant)).toMatchObject(expected);
  });

  it('for two events of the same second, of which the last one to arrive is the newest', async () => {
    const [one = '', other = ''] = await pendingTenants(test, 2);
    const at = on('01-31');
    for (const event of ['PAYMENT_CONFIRMED', 'PAYMENT_OVERDUE']) await notify(test, one, event, { at });
    for (const event of ['PAYMENT_OVERDUE', 'PAYMENT_CONFIRMED']) await notify(test, other, event, { at });
    await applied(test);
    expect(await standing(test, one)).toMatchObject({ status: 'past_due' });
    expect(await standing(test, other)).toMatchObject({ status: 'active', grace_deadline: null });
  });
});

describe('a charge', () => {
  it('that is received after its confirmation starts no new period, unlike the next charge', async () => {
    const tenant = await createPendingTenant();
    const charge = chargeId();
    await pay(test, tenant, 'PAYMENT_CONFIRMED', { charge, at: on('01-31') });
    const first = await standing(test, tenant);
    expect(first).toMatchObject({ current_period_start: on('01-31'), current_period_end: on('02-28') });
    await pay(test, tenant, 'PAYMENT_RECEIVED', { charge, at: on('02-10') });
    expect(await standing(test, tenant)).toEqual(first);
    await pay(test, tenant, 'PAYMENT_RECEIVED', { at: on('02-28') });
    expect(await standing(test, tenant)).toMatchObject({
      current_period_start: on('02-28'),
      current_period_end: on('03-28'),
    });
  });

  it('that was paid cannot become overdue', async () => {
    const tenant = await createPendingTenant();
    const charge = chargeId();
    await pay(test, tenant, 'PAYMENT_RECEIVED', { charge, at: on('01-31') });
    await pay(test, tenant, 'PAYMENT_OVERDUE', { charge, at: on('02-10') });
    expect(await standing(test, tenant)).toMatchObject({ status: 'active', grace_deadline: null });
  });

  it('that is refunded cancels the subscription only if it is the newest', async () => {
    const tenant = await createPendingTenant();
    const [older, newest] = [chargeId(), chargeId()];
    await pay(test, tenant, 'PAYMENT_CONFIRMED', { charge: older, at: on('01-31') });
    await pay(test, tenant, 'PAYMENT_CONFIRMED', { charge: newest, at: on('02-28') });
    const before = await standing(test, tenant);
    await pay(test, tenant, 'PAYMENT_REFUNDED', { charge: older, at: on('03-01') });
    expect(await standing(test, tenant)).toEqual(before);
    await pay(test, tenant, 'PAYMENT_REFUNDED', { charge: newest, at: on('03-02') });
    expect(await standing(test, tenant)).toEqual({ ...before, status: 'canceled' });
  });

  it('of a tenant on the free plan changes nothing', async () => {
    const [tenant = ''] = await pendingTenants(test, 1, 'free');
    await test.db.query(`UPDATE subscriptions SET status = 'active' WHERE tenant_id = $1`, [tenant]);
    for (const event of ['PAYMENT_OVERDUE', 'PAYMENT_REFUNDED']) await pay(test, tenant, event);
    expect(await standing(test, tenant)).toEqual({ ...PENDING, status: 'active' });
  });
});
