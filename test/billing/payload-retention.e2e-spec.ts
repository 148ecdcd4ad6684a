import { PaymentNotificationsService } from '../../src/billing/payment-notifications.service';
import { ReplayPayments } from '../../src/billing/replay-payments';
import { Retention } from '../../src/platform/jobs/retention';
import {
  applyNotification,
  chargeId,
  deliver,
  expectAccepted,
  insertPendingTenants,
  startGatewayApp,
  storedEvents,
  subscriptionState,
  waitUntilApplied,
} from '../support/peers/payment-gateway';
import type { TestApp } from '../support/test-app';

const DAY_SECONDS = 86_400;

let test: TestApp;

beforeAll(async () => {
  test = await startGatewayApp();
});

afterEach(() => test.clock.reset());

afterAll(() => test.close());

const purge = () => test.get(Retention).run(new AbortController().signal);

describe('payment notifications older than RETENTION_GATEWAY_PAYLOADS_DAYS', () => {
  it('lose their payload and keep their effect', async () => {
    const [tenant = ''] = await insertPendingTenants(test, 1);
    const charge = chargeId();
    const paid = await applyNotification(test, tenant, 'PAYMENT_CONFIRMED', { charge });
    const [before] = await storedEvents(test, paid.id);
    const state = await subscriptionState(test, tenant);
    expect(state.status).toBe('active');

    test.clock.advance(90 * DAY_SECONDS - 60);
    await purge();
    expect(await storedEvents(test, paid.id)).toEqual([before]);
    test.clock.advance(120);
    await purge();
    const stripped = { ...before, payload: null };
    expect(await storedEvents(test, paid.id)).toEqual([stripped]);

    // The same notification takes effect once, and a replay leaves what was read from it.
    expectAccepted(await deliver(test, paid));
    const later = await applyNotification(test, tenant, 'PAYMENT_RECEIVED', { charge });
    await waitUntilApplied(test);
    expect(await test.get(ReplayPayments).replay(tenant)).toEqual({ notifications: 1, tenants: 1 });
    await test.get(PaymentNotificationsService).refreshSubscription(tenant);
    expect(await storedEvents(test, paid.id)).toEqual([stripped]);
    expect(await storedEvents(test, later.id)).toMatchObject([{ kind: 'paid', payload: later }]);
    expect(await subscriptionState(test, tenant)).toEqual(state);
  });

  it('keep it while a legal hold on their company is in force', async () => {
    const [held = '', other = ''] = await insertPendingTenants(test, 2);
    const events: string[] = [];
    for (const tenant of [held, other])
      events.push((await applyNotification(test, tenant, 'PAYMENT_CONFIRMED', { charge: chargeId() })).id);
    await test.db.query(
      `INSERT INTO legal_holds (tenant_id, reason, inserted_at) VALUES ($1, 'A lawsuit', now())`,
      [held],
    );
    const hasPayload = async () => {
      const found = await Promise.all(events.map((id) => storedEvents(test, id)));
      return found.map(([event]) => event?.payload !== null);
    };
    test.clock.advance(91 * DAY_SECONDS);
    await purge();
    expect(await hasPayload()).toEqual([true, false]);
    await test.db.query('DELETE FROM legal_holds WHERE tenant_id = $1', [held]);
    await purge();
    expect(await hasPayload()).toEqual([false, false]);
  });

  it('still decide what a later notification means', async () => {
    const [tenant = ''] = await insertPendingTenants(test, 1);
    const charge = chargeId();
    await applyNotification(test, tenant, 'PAYMENT_CONFIRMED', { charge });
    test.clock.advance(91 * DAY_SECONDS);
    await purge();
    // Only the refund of the charge that pays for the plan cancels it.
    await applyNotification(test, tenant, 'PAYMENT_REFUNDED', { at: test.clock.now() });
    expect(await subscriptionState(test, tenant)).toMatchObject({ status: 'active' });
    await applyNotification(test, tenant, 'PAYMENT_REFUNDED', { charge, at: test.clock.now() });
    expect(await subscriptionState(test, tenant)).toMatchObject({ status: 'cancelled' });
  });
});
