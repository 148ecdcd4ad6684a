import { agentOnCall, expectStatus, TestTenant } from '../support/builders';
import {
  callbackRequested,
  callbackRow,
  callingQueue,
  cancelCallback,
  resume,
  sweepCallbacks,
  untilCallback,
} from '../support/contexts/callbacks';
import { changeCall, entriesOf, secondsAfter } from '../support/contexts/line';
import { availableAgent, offersOf, pendingOffer, untilState } from '../support/contexts/offers';
import { openFor } from '../support/contexts/opening-hours';
import { overflowingQueue, setDepartment, untilOverflowed } from '../support/contexts/overflow';
import { transfer } from '../support/contexts/transfers';
import { callRow } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

const CALLING = { callback_enabled: true, routing: 'automatic', max_wait_time: 86_400 };

describe('a callback of a call', () => {
  let test: TestApp;
  let tenant: TestTenant;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await sharedTestApp();
  });

  beforeEach(async () => {
    tenant = await TestTenant.register(test);
  });

  afterEach(() => test.clock.reset());
  afterAll(() => test.close());

  it('that overflowed withholds it from both lines, and brings it back to both', async () => {
    const { target, link } = await overflowingQueue(tenant, CALLING, { routing: 'automatic' });
    const first = await tenant.join(link);
    const entry = await tenant.join(link);
    await untilOverflowed(test, entry.call_id);
    await callbackRequested(test, entry);
    const absent = { present: false, awaits_callback: true };
    expect(await entriesOf(test, entry.call_id)).toMatchObject([absent, absent]);
    const ana = await availableAgent(tenant, connect, [target.id]);
    const offer = await pendingOffer(ana, first.call_id);
    expectStatus(await ana.api.post(`/api/v1/offers/${offer.id}/accept`), 200);
    await untilCallback(test, entry.call_id, 'invited');
    const ben = await availableAgent(tenant, connect, [target.id]);
    await untilState(test, ben.id, 'available');
    expect(await offersOf(test, entry.call_id)).toEqual([]);
    await resume(test, entry.websocket_token);
    const present = { present: true, awaits_callback: false };
    expect(await entriesOf(test, entry.call_id)).toMatchObject([present, present]);
    await pendingOffer(ben, entry.call_id);
  });

  it('that overflows while its customer is away stays withheld, and outlives the end of the overflow', async () => {
    const { department, target, link } = await overflowingQueue(
      tenant,
      { ...CALLING, overflow_after: 600 },
      { routing: 'automatic' },
    );
    await tenant.join(link);
    const entry = await tenant.join(link);
    await callbackRequested(test, entry);
    await setDepartment(tenant, department, { overflow_after: 0 });
    await untilOverflowed(test, entry.call_id);
    const absent = { present: false, awaits_callback: true };
    expect(await entriesOf(test, entry.call_id)).toMatchObject([absent, absent]);
    expectStatus(await tenant.owner.api.delete(`/api/v1/departments/${target.id}`), 204);
    // A job ends the overflows to a deleted department.
    await until(async () => (await entriesOf(test, entry.call_id)).length === 1);
    expect(await entriesOf(test, entry.call_id)).toMatchObject([{ ...absent, department_id: department.id }]);
    expect(await callRow(test, entry.call_id)).toMatchObject({ callback_status: 'requested' });
    expect((await cancelCallback(test, entry)).status).toBe(204);
    expect(await entriesOf(test, entry.call_id)).toMatchObject([{ present: true, awaits_callback: false }]);
  });

  it('is due in the line of an open target while its own department is closed', async () => {
    const { department, target, link } = await overflowingQueue(tenant, CALLING);
    await agentOnCall(tenant, [target.id]);
    const first = await tenant.join(link);
    const entry = await tenant.join(link);
    await untilOverflowed(test, entry.call_id);
    await callbackRequested(test, entry);
    await setDepartment(tenant, department, { opening_hours: openFor(test, 60, 120), on_close: 'end' });
    expectStatus(await test.api.as(first.websocket_token).post(`/api/v1/call/cancel/${first.call_id}`), 200);
    await untilCallback(test, entry.call_id, 'invited');
  });

  it('is not due in a closed target if its own department is closed, too', async () => {
    const hours = { opening_hours: openFor(test, 60, 120) };
    const { department, target, link } = await overflowingQueue(tenant, CALLING);
    await agentOnCall(tenant, [target.id]);
    const first = await tenant.join(link);
    const entry = await tenant.join(link);
    await untilOverflowed(test, entry.call_id);
    await callbackRequested(test, entry);
    for (const one of [department, target]) await setDepartment(tenant, one, hours);
    expectStatus(await test.api.as(first.websocket_token).post(`/api/v1/call/cancel/${first.call_id}`), 200);
    await sweepCallbacks(test);
    expect(await callRow(test, entry.call_id)).toMatchObject({ callback_status: 'requested' });
    await setDepartment(tenant, target, { opening_hours: null });
    await untilCallback(test, entry.call_id, 'invited');
  });

  it('that was transferred follows the settings of its new department', async () => {
    const { link } = await callingQueue(tenant);
    const next = await callingQueue(tenant, { callback_window: 60, callback_attempts: 1 });
    const ana = await tenant.member();
    const entry = await tenant.join(link as { token: string });
    await callbackRequested(test, entry);
    await untilCallback(test, entry.call_id, 'invited');
    await resume(test, entry.websocket_token);
    expectStatus(await ana.api.post(`/api/v1/calls/${entry.call_id}/start`), 200);
    await transfer(ana, entry.call_id, { department_id: next.department.id });
    expect(await callRow(test, entry.call_id)).toMatchObject({
      status: 'queued',
      callback_status: 'returned',
    });
    const again: Json = await callbackRequested(test, entry);
    expect(again.callback).toEqual({ status: 'requested', invited_until: null });
    test.clock.advance(901);
    await untilCallback(test, entry.call_id, 'invited');
    const { invited_at } = await callbackRow(test, entry.call_id);
    const { callback_invited_until } = await callRow(test, entry.call_id);
    expect(callback_invited_until).toEqual(secondsAfter(invited_at, 60));
    test.clock.advance(61);
    expect(await untilCallback(test, entry.call_id, 'expired')).toMatchObject({ status: 'abandoned' });
  });

  it('is no obstacle to the requeue of the call after the return', async () => {
    const { link } = await callingQueue(tenant, { max_unanswered: 3 });
    const ana = await tenant.member();
    const entry = await tenant.join(link as { token: string });
    await tenant.join(link as { token: string });
    await callbackRequested(test, entry);
    await untilCallback(test, entry.call_id, 'invited');
    await resume(test, entry.websocket_token);
    expectStatus(await ana.api.post(`/api/v1/calls/${entry.call_id}/assign`), 200);
    await changeCall(test, entry.call_id, { ring_deadline: test.clock.now() });
    const returned = await until(async () => {
      const call = await callRow(test, entry.call_id);
      return call.status === 'queued' && call;
    });
    expect(returned).toMatchObject({ callback_status: 'returned', unanswered_count: 1, user_id: null });
    expect(returned.wait_deadline.getTime()).toBeGreaterThan(test.clock.now().getTime());
    const { body } = await test.api.get(`/api/v1/call/status/${entry.call_id}`);
    expect(body.data.position).toBe(1);
  });
});
