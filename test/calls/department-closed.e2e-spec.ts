import { CallbackInviter } from '../../src/routing/callbacks/callback-inviter';
import { expectStatus, TestTenant } from '../support/builders';
import { bookConfirmed, inMinutes } from '../support/contexts/appointments';
import { cancelCallback } from '../support/contexts/callbacks';
import { minuteFromNow, openFor } from '../support/contexts/opening-hours';
import { untilOverflowed } from '../support/contexts/overflow';
import { activeCall, requestTransfer, transfer } from '../support/contexts/transfers';
import { callRow } from '../support/database/rows';
import type { Answer, Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});

afterAll(() => test.close());
afterEach(() => test.clock.reset());

const NEVER = { weekly: {} };
const ALWAYS_OPEN = { open: true, opens_at: null, closes_at: null };

const validate = async ({ token }: Json): Promise<Json> =>
  (await test.api.get(`/api/v1/call/${token}/validate`)).body.data;
const requestJoin = ({ token }: Json, headers?: Record<string, string>): Promise<Answer> =>
  test.api.post(`/api/v1/call/${token}/join`, { name: 'Caio' }, { headers });
const changeHours = async (department: Json, opening_hours: Json) =>
  expectStatus(await tenant.owner.api.put(`/api/v1/departments/${department.id}`, { opening_hours }), 200);

function expectClosed({ status, body }: Answer, opensAt: Date | null): void {
  expect([status, body]).toEqual([
    422,
    {
      errors: {
        code: 'department_closed',
        detail: expect.stringMatching(
          opensAt ? /closed until \d{4}-\d\d-\d\d at \d\d:\d\d \(UTC\)/ : /closed\.$/,
        ),
        opens_at: opensAt?.toISOString() ?? null,
      },
    },
  ]);
}

let addresses = 0;
/** A callback to an address of its own. */
const newCallback = () => ({ channel: 'email', email: `caio${++addresses}@example.com` });

describe('a closed department', () => {
  it('takes joins with a callback where it has them, and invites from its opening on', async () => {
    const opening_hours = openFor(test, 10, 60);
    const closed_message = 'In an emergency, call us.';
    const { department, link } = await tenant.queue({
      opening_hours,
      closed_message,
      callback_enabled: true,
      on_close: 'end',
    });
    const agent = await tenant.member('attendant', [department.id]);
    await test.db.query(`UPDATE presences SET state = 'on_call', announced = 'busy' WHERE user_id = $1`, [
      agent.id,
    ]);
    test.clock.stop();
    expect(await validate(link)).toMatchObject({ open: false, closed_message, callback_enabled: true });
    const join = (callback: Json) =>
      test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Caio', callback });
    const unknownAddress = await join({ channel: 'email' });
    expect([unknownAddress.status, Object.keys(unknownAddress.body.errors.fields)]).toEqual([422, ['email']]);

    const joined = await join(newCallback());
    expect([joined.status, joined.body.data]).toMatchObject([
      200,
      { status: 'queued', position: 1, callback: { status: 'requested', invited_until: null } },
    ]);
    const { call_id } = joined.body.data;
    expectClosed(await cancelCallback(test, joined.body.data), minuteFromNow(test, 10));
    await test.get(CallbackInviter).sweep();
    expect(await callRow(test, call_id)).toMatchObject({ callback_status: 'requested', wait_deadline: null });

    test.clock.advance(11 * 60);
    await test.get(CallbackInviter).sweep();
    expect(await callRow(test, call_id)).toMatchObject({ status: 'queued', callback_status: 'invited' });
  });

  it('takes as many callbacks as its line has places, and in the morning as many customers beside them', async () => {
    const { link } = await tenant.queue({
      opening_hours: openFor(test, 10, 60),
      callback_enabled: true,
      max_queue_size: 3,
    });
    const join = (callback?: Json) =>
      test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Caio', ...(callback && { callback }) });
    const outcomes = async (count: number, callbackOf?: () => Json) =>
      (await Promise.all(Array.from({ length: count }, () => join(callbackOf?.()))))
        .map(({ status, body }) => (status === 200 ? 'joined' : body.errors.code))
        .toSorted();
    const [joined, full] = [Array(3).fill('joined'), Array(2).fill('queue_full')];
    test.clock.stop();
    expect(await outcomes(5, newCallback)).toEqual([...joined, ...full]);
    test.clock.advance((minuteFromNow(test, 10).getTime() - test.clock.now().getTime()) / 1000);
    expect(await outcomes(5)).toEqual([...joined, ...full]);
  });

  it('tells no wait, and the wait of its callbacks counts from its opening on', async () => {
    const { department, link } = await tenant.queue({ callback_enabled: true });
    await connect((await tenant.member('attendant', [department.id])).token);
    expect(await validate(link)).toMatchObject({ open: true, has_estimate: true });
    await changeHours(department, openFor(test, 10, 60));
    expect(await validate(link)).toMatchObject({
      open: false,
      has_estimate: false,
      estimated_wait_range: null,
    });
    test.clock.stop();
    const opening = minuteFromNow(test, 10).getTime();
    const join = async (): Promise<Json> => {
      const body = { name: 'Caio', callback: newCallback() };
      const joined = await test.api.post(`/api/v1/call/${link.token}/join`, body);
      expect(joined.body.data).toMatchObject({ has_estimate: false, estimated_wait_range: null });
      return joined.body.data;
    };
    const [left, answered] = [await join(), await join()];
    test.clock.advance(300);
    expectStatus(await test.api.as(left.websocket_token).post(`/api/v1/call/cancel/${left.call_id}`), 200);
    expect(await callRow(test, left.call_id)).toMatchObject({ left_after: 0, wait_time: 0 });

    test.clock.advance((opening - test.clock.now().getTime()) / 1000 + 90);
    await test.db.query(`UPDATE calls SET callback_status = 'returned' WHERE id = $1`, [answered.call_id]);
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${answered.call_id}/assign`), 200);
    expect(await callRow(test, answered.call_id)).toMatchObject({ wait_time: 90, join_estimate: null });
  });

  it('keeps the calls of a callback to itself until it opens, although its others overflow to an open one', async () => {
    const { department: target } = await tenant.queue();
    const { department, link } = await tenant.queue({
      callback_enabled: true,
      overflow_after: 60,
      overflow_department_id: target.id,
    });
    const { call_id: waiting } = await tenant.join(link);
    await changeHours(department, openFor(test, 10, 60));
    const callback = newCallback();
    test.clock.stop();
    const joined = await test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Caio', callback });
    expectStatus(joined, 200);
    const { call_id } = joined.body.data;
    test.clock.advance(120);
    await untilOverflowed(test, waiting);
    expect(await callRow(test, call_id)).toMatchObject({ overflowed_at: null, callback_status: 'requested' });
    test.clock.advance(9 * 60);
    await untilOverflowed(test, call_id);
  });

  it('takes none without callbacks, and an open one refuses the callback', async () => {
    const callback = newCallback();
    const { link } = await tenant.queue({ opening_hours: NEVER });
    expectClosed(await test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Caio', callback }), null);
    const never = await tenant.queue({ opening_hours: NEVER, callback_enabled: true });
    expectClosed(
      await test.api.post(`/api/v1/call/${never.link.token}/join`, { name: 'Caio', callback }),
      null,
    );
    const open = await tenant.queue();
    const path = `/api/v1/call/${open.link.token}`;
    const refused = await test.api.post(`${path}/join`, { name: 'Caio', callback });
    expect([refused.status, refused.body.errors.code]).toEqual([422, 'callback_disabled']);
    expect(await validate(open.link)).toMatchObject({ queue_size: 0 });
  });
});

describe('a department with opening hours', () => {
  it('admits customers from its opening until its closing', async () => {
    const { link } = await tenant.queue({ opening_hours: openFor(test, 10, 60) });
    const [opening, closing] = [minuteFromNow(test, 10), minuteFromNow(test, 60)];
    test.clock.stop();
    const moveTo = (at: Date) => test.clock.advance((at.getTime() - test.clock.now().getTime()) / 1000);

    const opens_at = opening.toISOString();
    const closes_at = closing.toISOString();
    expect(await validate(link)).toMatchObject({ valid: true, open: false, opens_at, closes_at });
    expectClosed(await requestJoin(link), opening);
    moveTo(new Date(opening.getTime() - 1));
    expectClosed(await requestJoin(link), opening);

    moveTo(opening);
    expect(await validate(link)).toMatchObject({ open: true, opens_at: null, closes_at });
    expectStatus(await requestJoin(link), 200);
    moveTo(new Date(closing.getTime() - 1));
    expectStatus(await requestJoin(link), 200);

    moveTo(closing);
    expect(await validate(link)).toMatchObject({ open: false, opens_at: null, closes_at: null });
    expectClosed(await requestJoin(link), null);
  });

  it('refuses a join without counting a use of the link or creating a customer', async () => {
    const { department } = await tenant.queue({ opening_hours: NEVER });
    const link = await tenant.link(department.id, { max_uses: 1 });
    const { total_count: before } = (await tenant.owner.api.get('/api/v1/customers')).body.meta;
    expectClosed(await requestJoin(link), null);
    expect((await tenant.owner.api.get('/api/v1/customers')).body.meta.total_count).toBe(before);
    await changeHours(department, null);
    expect(await validate(link)).toMatchObject(ALWAYS_OPEN);
    expectStatus(await requestJoin(link), 200);
  });

  it('answers a repeated join that it admitted while it was open', async () => {
    const { department, link } = await tenant.queue();
    const headers = { 'Idempotency-Key': 'once' };
    const first = await requestJoin(link, headers);
    await changeHours(department, NEVER);
    const repeated = await requestJoin(link, headers);
    expect([repeated.status, repeated.body.data?.call_id]).toEqual([200, first.body.data.call_id]);
  });

  it('follows the time zone of the company unless it has its own', async () => {
    const other = await TestTenant.register(test);
    const hours = openFor(test, 10, 60);
    const { link } = await other.queue({ opening_hours: { ...hours, timezone: null } });
    const opensAt = async () => (await validate(link)).opens_at;
    const timezone = 'Asia/Kolkata';
    expectStatus(await other.owner.api.put('/api/v1/tenant', { timezone: 'UTC' }), 200);
    expect(await opensAt()).toBe(minuteFromNow(test, 10).toISOString());
    // The same wall times are five and a half hours earlier, and so in the past.
    expectStatus(await other.owner.api.put('/api/v1/tenant', { timezone }), 200);
    expect(await opensAt()).toBeNull();
  });

  it('admits appointments whatever the hour', async () => {
    const { department } = await tenant.queue({ opening_hours: NEVER });
    const times = { starts_at: inMinutes(test, 2), ends_at: inMinutes(test, 30) };
    const { access_link } = await bookConfirmed(tenant, { department_id: department.id, ...times });
    test.clock.advance(180);
    const link = { token: access_link.url.split('/').at(-1) };
    expect(await validate(link)).toMatchObject(ALWAYS_OPEN);
    expectStatus(await requestJoin(link), 200);
  });

  it('takes no transferred call while it is closed', async () => {
    const agent = await tenant.member();
    const { link } = await tenant.queue();
    const { department: target } = await tenant.queue({ opening_hours: openFor(test, 10, 60) });
    const { call_id } = await activeCall(tenant, link, agent);
    const before = await callRow(test, call_id);
    const refused = await requestTransfer(agent, call_id, { department_id: target.id });
    expectClosed(refused, minuteFromNow(test, 10));
    expect(await callRow(test, call_id)).toEqual(before);
    await changeHours(target, openFor(test, -10, 60));
    expect(await transfer(agent, call_id, { department_id: target.id })).toMatchObject({ status: 'queued' });
  });
});
