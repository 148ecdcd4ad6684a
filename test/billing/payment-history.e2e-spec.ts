import { PaymentNotificationsService } from '../../src/billing/payment-notifications.service';
import { asSuperuser } from '../support/database/database';
import {
  waitUntilApplied,
  chargeId,
  deliver,
  expectAccepted,
  sendNotification,
  applyNotification,
  insertPendingTenants,
  subscriptionState,
  startGatewayApp,
} from '../support/peers/payment-gateway';
import {
  expectedSubscription,
  CHARGE_A,
  CORRECTED,
  forEachConcurrently,
  MIXED,
  type HistoryEntry,
  NEXT_MONTH,
  timeOn,
  PAID_LATE,
  PENDING,
  toNotifications,
} from '../support/contexts/payment-histories';
import { raceRounds } from '../support/race-rounds';
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

/** Items from all parts of a list: 37 shares no factor with the numbers of permutations, 120 and 720. */
const someOf = <T>(items: T[], count: number): T[] =>
  Array.from({ length: count }, (_, n) => items[(n * 37) % items.length]);

const createPendingTenant = async () => (await insertPendingTenants(test, 1))[0] ?? '';

/** The number of database sessions that wait for a lock. */
async function countLockWaiters(): Promise<number> {
  const { rows } = await test.db.query(
    `SELECT count(*)::int AS sessions FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0].sessions;
}

describe('the final state of a subscription is independent of the order of arrival', () => {
  it.each<[string, HistoryEntry[], number]>([
    ['120 orders of: paid, refunded, paid the next month', NEXT_MONTH, 120],
    ['720 orders of: paid, refunded, overdue, paid late', PAID_LATE, 120],
    ['120 orders of: overdue, paid, paid again, the older one refunded', MIXED, 40],
    [
      '5,040 orders of: paid, then overdue, deleted, restored, paid in cash, undone, due later',
      CORRECTED,
      60,
    ],
  ])('for %s', async (_what, history, count) => {
    const orders = someOf(permutations(history), raceRounds(count, 20));
    const tenants = await insertPendingTenants(test, orders.length);
    await forEachConcurrently(tenants, async (tenant, index) => {
      for (const body of toNotifications(tenant, orders[index] ?? [])) {
        expectAccepted(await deliver(test, body));
      }
    });
    await waitUntilApplied(test);
    const expected = expectedSubscription(history);
    expect(expected.status).toBe('active');
    for (const [index, tenant] of tenants.entries()) {
      const order = orders[index]?.map(({ event, charge }) => `${event} ${charge}`);
      expect({ order, ...(await subscriptionState(test, tenant)) }).toEqual({ order, ...expected });
    }
  });

  it.each<[string, HistoryEntry[]]>([
    ['cancelled', CHARGE_A],
    ['active', NEXT_MONTH],
    ['past_due', PAID_LATE.slice(0, -1)],
  ])('for concurrent notifications that arrive three times each: %s', async (status, history) => {
    const tenants = await insertPendingTenants(test, 6);
    await Promise.all(
      tenants.flatMap((tenant) => {
        const bodies = toNotifications(tenant, history);
        return [...bodies, ...bodies.toReversed(), ...bodies].map(async (body) =>
          expectAccepted(await deliver(test, body)),
        );
      }),
    );
    await waitUntilApplied(test);
    const expected = expectedSubscription(history);
    expect(expected.status).toBe(status);
    for (const tenant of tenants) expect(await subscriptionState(test, tenant)).toEqual(expected);
    const { rows } = await test.db.query(
      'SELECT count(*)::int AS events FROM gateway_events WHERE tenant_id = ANY ($1) GROUP BY tenant_id',
      [tenants],
    );
    expect(rows).toEqual(tenants.map(() => ({ events: history.length })));
  });

  it('for two instances that apply notifications at once, which take turns', async () => {
    const tenant = await createPendingTenant();
    const charge = chargeId();
    await applyNotification(test, tenant, 'PAYMENT_CONFIRMED', { charge, at: timeOn('01-31') });
    await asSuperuser(test.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM subscriptions WHERE tenant_id = $1 FOR UPDATE', [tenant]);
      // This instance computes "cancelled" and waits for the lock to write it.
      await sendNotification(test, tenant, 'PAYMENT_REFUNDED', { charge, at: timeOn('02-02') });
      await until(async () => (await countLockWaiters()) === 1);
      await sendNotification(test, tenant, 'PAYMENT_CONFIRMED', { at: timeOn('02-03') });
      // Deletes the queued job, as if the other instance had taken it.
      await test.db.query(`DELETE FROM pgboss.job WHERE name = 'apply-payments' AND state = 'created'`);
      let done = false;
      const other = test.get(PaymentNotificationsService).refreshSubscription(tenant);
      void other.then(() => (done = true));
      await until(async () => done || (await countLockWaiters()) === 2);
      await client.query('COMMIT');
      await other;
    });
    await waitUntilApplied(test);
    const expected = { status: 'active', current_period_start: timeOn('02-03') };
    expect(await subscriptionState(test, tenant)).toMatchObject(expected);
  });

  it('for two events of the same second, of which the last one to arrive is the newest', async () => {
    const [one = '', other = ''] = await insertPendingTenants(test, 2);
    const at = timeOn('01-31');
    for (const event of ['PAYMENT_CONFIRMED', 'PAYMENT_OVERDUE'])
      await sendNotification(test, one, event, { at });
    for (const event of ['PAYMENT_OVERDUE', 'PAYMENT_CONFIRMED'])
      await sendNotification(test, other, event, { at });
    await waitUntilApplied(test);
    expect(await subscriptionState(test, one)).toMatchObject({ status: 'past_due' });
    expect(await subscriptionState(test, other)).toMatchObject({ status: 'active', grace_deadline: null });
  });
});

describe('a charge', () => {
  it('that is received after its confirmation starts no new period, unlike the next charge', async () => {
    const tenant = await createPendingTenant();
    const charge = chargeId();
    await applyNotification(test, tenant, 'PAYMENT_CONFIRMED', { charge, at: timeOn('01-31') });
    const first = await subscriptionState(test, tenant);
    expect(first).toMatchObject({
      current_period_start: timeOn('01-31'),
      current_period_end: timeOn('02-28'),
    });
    await applyNotification(test, tenant, 'PAYMENT_RECEIVED', { charge, at: timeOn('02-10') });
    expect(await subscriptionState(test, tenant)).toEqual(first);
    await applyNotification(test, tenant, 'PAYMENT_RECEIVED', { at: timeOn('02-28') });
    expect(await subscriptionState(test, tenant)).toMatchObject({
      current_period_start: timeOn('02-28'),
      current_period_end: timeOn('03-28'),
    });
  });

  it('that was paid cannot become overdue', async () => {
    const tenant = await createPendingTenant();
    const charge = chargeId();
    await applyNotification(test, tenant, 'PAYMENT_RECEIVED', { charge, at: timeOn('01-31') });
    await applyNotification(test, tenant, 'PAYMENT_OVERDUE', { charge, at: timeOn('02-10') });
    expect(await subscriptionState(test, tenant)).toMatchObject({ status: 'active', grace_deadline: null });
  });

  it('that is refunded cancels the subscription only if it is the newest', async () => {
    const tenant = await createPendingTenant();
    const [older, newest] = [chargeId(), chargeId()];
    await applyNotification(test, tenant, 'PAYMENT_CONFIRMED', { charge: older, at: timeOn('01-31') });
    await applyNotification(test, tenant, 'PAYMENT_CONFIRMED', { charge: newest, at: timeOn('02-28') });
    const before = await subscriptionState(test, tenant);
    await applyNotification(test, tenant, 'PAYMENT_REFUNDED', { charge: older, at: timeOn('03-01') });
    expect(await subscriptionState(test, tenant)).toEqual(before);
    await applyNotification(test, tenant, 'PAYMENT_REFUNDED', { charge: newest, at: timeOn('03-02') });
    expect(await subscriptionState(test, tenant)).toEqual({ ...before, status: 'cancelled' });
  });

  it('that is no longer overdue restores the period that was paid', async () => {
    const overdue = { charge: chargeId(), at: timeOn('02-28') };
    for (const [event, payment] of [
      ['PAYMENT_DELETED', {}],
      ['PAYMENT_UPDATED', { dueDate: '2026-03-15' }],
      ['PAYMENT_DUNNING_RECEIVED', {}],
    ] as const) {
      const tenant = await createPendingTenant();
      await applyNotification(test, tenant, 'PAYMENT_CONFIRMED', { at: timeOn('01-31') });
      const paid = await subscriptionState(test, tenant);
      await applyNotification(test, tenant, 'PAYMENT_OVERDUE', overdue);
      expect(await subscriptionState(test, tenant)).toMatchObject({ status: 'past_due' });
      await applyNotification(test, tenant, 'PAYMENT_UPDATED', {
        ...overdue,
        at: timeOn('03-01'),
        payment: { dueDate: '2026-02-27' },
      });
      expect(await subscriptionState(test, tenant)).toMatchObject({ status: 'past_due' });
      await applyNotification(test, tenant, event, { ...overdue, at: timeOn('03-02'), payment });
      // Money that dunning recovers pays for a month, as other money does.
      const period = { current_period_start: timeOn('03-02'), current_period_end: timeOn('04-02') };
      const after = event === 'PAYMENT_DUNNING_RECEIVED' ? { ...paid, ...period } : paid;
      expect({ event, ...(await subscriptionState(test, tenant)) }).toEqual({ event, ...after });
    }
  });

  it('that is charged back cancels the subscription until the dispute is won', async () => {
    const tenant = await createPendingTenant();
    const charge = chargeId();
    await applyNotification(test, tenant, 'PAYMENT_CONFIRMED', { charge, at: timeOn('01-31') });
    const paid = await subscriptionState(test, tenant);
    await applyNotification(test, tenant, 'PAYMENT_PARTIALLY_REFUNDED', { charge, at: timeOn('02-01') });
    expect(await subscriptionState(test, tenant)).toEqual(paid);
    for (const [event, day, status] of [
      ['PAYMENT_CHARGEBACK_REQUESTED', '02-02', 'cancelled'],
      ['PAYMENT_CHARGEBACK_DISPUTE', '02-03', 'cancelled'],
      ['PAYMENT_AWAITING_CHARGEBACK_REVERSAL', '02-04', 'active'],
      ['PAYMENT_CONFIRMED', '02-05', 'active'],
    ] as const) {
      await applyNotification(test, tenant, event, { charge, at: timeOn(day) });
      expect({ event, ...(await subscriptionState(test, tenant)) }).toEqual({ event, ...paid, status });
    }
  });

  it('of a tenant on the free plan changes nothing', async () => {
    const [tenant = ''] = await insertPendingTenants(test, 1, 'free');
    await test.db.query(`UPDATE subscriptions SET status = 'active' WHERE tenant_id = $1`, [tenant]);
    for (const event of ['PAYMENT_OVERDUE', 'PAYMENT_REFUNDED']) await applyNotification(test, tenant, event);
    expect(await subscriptionState(test, tenant)).toEqual({ ...PENDING, status: 'active' });
  });
});
