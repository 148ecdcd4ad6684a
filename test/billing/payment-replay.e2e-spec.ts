import { PaymentNotificationsService } from '../../src/billing/payment-notifications.service';
import { ReplayPayments } from '../../src/billing/replay-payments';
import { Database } from '../../src/platform/database/database';
import type { Json } from '../support/http/api';
import {
  applied,
  chargeId,
  deliver,
  expectReceived,
  notify,
  pay,
  pendingTenant,
  pendingTenants,
  standing,
  startGatewayApp,
} from '../support/peers/payment-gateway';
import {
  byTheRules,
  CHARGE_A,
  forEach,
  NEXT_MONTH,
  on,
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
const grant = (tenant: string) =>
  test.get(Database).tenant(tenant, (tx) => test.get(PaymentNotificationsService).grant(tx, tenant));

/** Makes rubbish of what was understood; what was sent stays. */
const corrupt = (tenants: string[]) =>
  test.db.query(
    `UPDATE gateway_events SET kind = 'other', payment_id = 'pay_wrong', occurred_at = now() - random() * interval '1 year'
     WHERE tenant_id = ANY ($1) AND gateway = 'asaas'`,
    [tenants],
  );

async function standings(tenants: string[]): Promise<Json[]> {
  const found: Json[] = [];
  for (const tenant of tenants) found.push(await standing(test, tenant));
  return found;
}

async function understood(tenants: string[]): Promise<Json[]> {
  const { rows } = await test.db.query(
    `SELECT gateway, event_id, tenant_id, kind, payment_id, occurred_at, received_at, arrival
     FROM gateway_events WHERE tenant_id = ANY ($1) ORDER BY arrival`,
    [tenants],
  );
  return rows;
}

describe('a replay', () => {
  it('restores what was misunderstood, and twice is as good as once', async () => {
    const histories = [CHARGE_A, NEXT_MONTH, PAID_LATE.slice(0, -1), PAID_LATE];
    const tenants = await pendingTenants(test, histories.length);
    await forEach(tenants, async (tenant, index) => {
      for (const body of toNotifications(tenant, histories[index] ?? [])) await deliver(test, body);
      // That its moment is not told counts in a replay, too: it occurred when it arrived.
      await notify(test, tenant, 'PAYMENT_CREATED', { body: { id: undefined, dateCreated: '21:45:03' } });
    });
    await applied(test);
    const [before, rows] = [await standings(tenants), await understood(tenants)];
    expect(before.map(({ status }) => status)).toEqual(['canceled', 'active', 'past_due', 'active']);

    await corrupt(tenants);
    await Promise.all(
      tenants.map((tenant) => test.get(PaymentNotificationsService).refreshSubscription(tenant)),
    );
    expect((await standings(tenants)).map(({ status }) => status)).toEqual(Array(4).fill('pending'));

    for (let time = 1; time <= 2; time++) {
      test.clock.advance(86_400);
      expect(await replay()).toMatchObject({ tenants: expect.any(Number) });
      expect(await standings(tenants)).toEqual(before);
      expect(await understood(tenants)).toEqual(rows);
    }
  });

  it('is right though notifications keep coming', async () => {
    const tenants = await pendingTenants(test, 4);
    const deliveries = forEach(tenants, async (tenant) => {
      for (const body of toNotifications(tenant, NEXT_MONTH)) expectReceived(await deliver(test, body));
    });
    await Promise.all([deliveries, replay(), replay(tenants[0]), replay()]);
    await applied(test);
    expect(await standings(tenants)).toEqual(Array(4).fill(byTheRules(NEXT_MONTH)));
  });

  it('leaves what the operator granted, and what came after', async () => {
    const [granted = '', refunded = ''] = await pendingTenants(test, 2);
    for (const tenant of [granted, refunded]) {
      await pay(test, tenant, 'PAYMENT_OVERDUE', { at: on('01-31') });
      await grant(tenant);
    }
    const afterwards = new Date(test.clock.now().getTime() + 60_000);
    const charge = chargeId();
    await pay(test, refunded, 'PAYMENT_CONFIRMED', { charge, at: afterwards });
    await pay(test, refunded, 'PAYMENT_REFUNDED', { charge, at: new Date(afterwards.getTime() + 60_000) });
    const before = await standings([granted, refunded]);
    expect(before.map(({ status }) => status)).toEqual(['active', 'canceled']);

    await corrupt([granted, refunded]);
    await replay();
    await replay(granted);
    expect(await standings([granted, refunded])).toEqual(before);
  });

  it('finds the tenant of what came before anybody could know it', async () => {
    const tenant = await pendingTenant(test);
    const { id } = await notify(test, tenant.id, 'PAYMENT_CONFIRMED', { at: on('01-31') });
    await applied(test);
    await test.db.query('UPDATE gateway_events SET tenant_id = NULL WHERE event_id = $1', [id]);
    await test.db.query(`UPDATE subscriptions SET status = 'pending' WHERE tenant_id = $1`, [tenant.id]);
    await replay(tenant.id);
    expect(await standing(test, tenant.id)).toMatchObject({
      status: 'active',
      current_period_start: on('01-31'),
    });
  });

  it('is not stopped by a notification that says nonsense', async () => {
    const [tenant = ''] = await pendingTenants(test, 1);
    for (const dateCreated of ['0000-01-01 00:00:00', '9999-12-31 23:59:59', '-000001-01-01 00:00:00', 7]) {
      await notify(test, tenant, 'PAYMENT_CONFIRMED', { body: { dateCreated } });
    }
    expectReceived(await deliver(test, '[]'));
    await applied(test);
    const before = await standing(test, tenant);
    await replay();
    expect(await standing(test, tenant)).toEqual(before);
  });
});
