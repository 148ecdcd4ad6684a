import { PaymentNotificationsService } from '../../src/billing/payment-notifications.service';
import { ReplayPayments } from '../../src/billing/replay-payments';
import { Database } from '../../src/platform/database/database';
import type { Json } from '../support/http/api';
import {
  waitUntilApplied,
  chargeId,
  deliver,
  expectAccepted,
  sendNotification,
  applyNotification,
  registerPendingTenant,
  insertPendingTenants,
  subscriptionState,
  startGatewayApp,
} from '../support/peers/payment-gateway';
import {
  expectedSubscription,
  CHARGE_A,
  CORRECTED,
  forEachConcurrently,
  NEXT_MONTH,
  timeOn,
  PAID_LATE,
  toNotifications,
} from '../support/contexts/payment-histories';
import type { TestApp } from '../support/test-app';

let test: TestApp;

beforeAll(async () => {
  test = await startGatewayApp();
});

afterAll(() => test.close());

const replay = (tenant: string | null = null) => test.get(ReplayPayments).replay(tenant);
const grantPlan = (tenant: string) =>
  test.get(Database).tenant(tenant, (tx) => test.get(PaymentNotificationsService).grant(tx, tenant));

/** Corrupts the interpreted columns of the events; the payload stays intact. */
const corruptEvents = (tenants: string[]) =>
  test.db.query(
    `UPDATE gateway_events SET kind = 'other', correction = NULL, payment_id = 'pay_wrong', occurred_at = now() - random() * interval '1 year'
     WHERE tenant_id = ANY ($1) AND gateway = 'asaas'`,
    [tenants],
  );

async function subscriptionsOf(tenants: string[]): Promise<Json[]> {
  const found: Json[] = [];
  for (const tenant of tenants) found.push(await subscriptionState(test, tenant));
  return found;
}

async function interpretedEvents(tenants: string[]): Promise<Json[]> {
  const { rows } = await test.db.query(
    `SELECT gateway, event_id, tenant_id, kind, correction, payment_id, occurred_at, received_at, arrival
     FROM gateway_events WHERE tenant_id = ANY ($1) ORDER BY arrival`,
    [tenants],
  );
  return rows;
}

describe('a replay', () => {
  it('restores misinterpreted events, and a second replay changes nothing', async () => {
    const histories = [CHARGE_A, NEXT_MONTH, PAID_LATE.slice(0, -1), PAID_LATE, CORRECTED];
    const tenants = await insertPendingTenants(test, histories.length);
    await forEachConcurrently(tenants, async (tenant, index) => {
      for (const body of toNotifications(tenant, histories[index] ?? [])) await deliver(test, body);
      // Without a valid dateCreated the time of arrival counts, also in a replay.
      await sendNotification(test, tenant, 'PAYMENT_CREATED', {
        body: { id: undefined, dateCreated: '21:45:03' },
      });
    });
    await waitUntilApplied(test);
    const [before, rows] = [await subscriptionsOf(tenants), await interpretedEvents(tenants)];
    expect(before.map(({ status }) => status)).toEqual([
      'cancelled',
      'active',
      'past_due',
      'active',
      'active',
    ]);

    await corruptEvents(tenants);
    await Promise.all(
      tenants.map((tenant) => test.get(PaymentNotificationsService).refreshSubscription(tenant)),
    );
    expect((await subscriptionsOf(tenants)).map(({ status }) => status)).toEqual(Array(5).fill('pending'));

    for (let run = 1; run <= 2; run++) {
      test.clock.advance(86_400);
      expect(await replay()).toMatchObject({ tenants: expect.any(Number) });
      expect(await subscriptionsOf(tenants)).toEqual(before);
      expect(await interpretedEvents(tenants)).toEqual(rows);
    }
  });

  it('has the right result while notifications arrive', async () => {
    const tenants = await insertPendingTenants(test, 4);
    const deliveries = forEachConcurrently(tenants, async (tenant) => {
      for (const body of toNotifications(tenant, NEXT_MONTH)) expectAccepted(await deliver(test, body));
    });
    await Promise.all([deliveries, replay(), replay(tenants[0]), replay()]);
    await waitUntilApplied(test);
    expect(await subscriptionsOf(tenants)).toEqual(Array(4).fill(expectedSubscription(NEXT_MONTH)));
  });

  it('keeps a plan that the operator granted, and later events', async () => {
    const [granted = '', refunded = ''] = await insertPendingTenants(test, 2);
    for (const tenant of [granted, refunded]) {
      await applyNotification(test, tenant, 'PAYMENT_OVERDUE', { at: timeOn('01-31') });
      await grantPlan(tenant);
    }
    const afterwards = new Date(test.clock.now().getTime() + 60_000);
    const charge = chargeId();
    await applyNotification(test, refunded, 'PAYMENT_CONFIRMED', { charge, at: afterwards });
    await applyNotification(test, refunded, 'PAYMENT_REFUNDED', {
      charge,
      at: new Date(afterwards.getTime() + 60_000),
    });
    const before = await subscriptionsOf([granted, refunded]);
    expect(before.map(({ status }) => status)).toEqual(['active', 'cancelled']);

    await corruptEvents([granted, refunded]);
    await replay();
    await replay(granted);
    expect(await subscriptionsOf([granted, refunded])).toEqual(before);
  });

  it('finds the tenant of an event that was stored without one', async () => {
    const tenant = await registerPendingTenant(test);
    const { id } = await sendNotification(test, tenant.id, 'PAYMENT_CONFIRMED', { at: timeOn('01-31') });
    await waitUntilApplied(test);
    await test.db.query('UPDATE gateway_events SET tenant_id = NULL WHERE event_id = $1', [id]);
    await test.db.query(`UPDATE subscriptions SET status = 'pending' WHERE tenant_id = $1`, [tenant.id]);
    await replay(tenant.id);
    expect(await subscriptionState(test, tenant.id)).toMatchObject({
      status: 'active',
      current_period_start: timeOn('01-31'),
    });
  });

  it('finds the tenant by its slug as well', async () => {
    const tenant = await registerPendingTenant(test);
    const { id } = await sendNotification(test, tenant.slug, 'PAYMENT_CONFIRMED', { at: timeOn('01-31') });
    await waitUntilApplied(test);
    await test.db.query('UPDATE gateway_events SET tenant_id = NULL WHERE event_id = $1', [id]);
    await test.db.query(`UPDATE subscriptions SET status = 'pending' WHERE tenant_id = $1`, [tenant.id]);
    await replay(tenant.id);
    expect(await subscriptionState(test, tenant.id)).toMatchObject({ status: 'active' });
  });

  it('does not credit a payment to a later company of the same slug', async () => {
    const former = await registerPendingTenant(test);
    const { id } = await sendNotification(test, former.slug, 'PAYMENT_CONFIRMED', { at: timeOn('01-31') });
    await waitUntilApplied(test);
    const later = await registerPendingTenant(test);
    await test.db.query('UPDATE gateway_events SET tenant_id = NULL WHERE event_id = $1', [id]);
    await test.db.query('DELETE FROM tenants WHERE id = $1', [former.id]);
    await test.db.query(
      `UPDATE tenants SET slug = $2, inserted_at = (SELECT received_at + interval '1 s' FROM gateway_events WHERE event_id = $3)
       WHERE id = $1`,
      [later.id, former.slug, id],
    );
    await replay(later.id);
    expect(await subscriptionState(test, later.id)).toMatchObject({ status: 'pending' });
  });

  it('is not stopped by an invalid notification', async () => {
    const [tenant = ''] = await insertPendingTenants(test, 1);
    for (const dateCreated of ['0000-01-01 00:00:00', '9999-12-31 23:59:59', '-000001-01-01 00:00:00', 7]) {
      await sendNotification(test, tenant, 'PAYMENT_CONFIRMED', { body: { dateCreated } });
    }
    expectAccepted(await deliver(test, '[]'));
    await waitUntilApplied(test);
    const before = await subscriptionState(test, tenant);
    await replay();
    expect(await subscriptionState(test, tenant)).toEqual(before);
  });
});
