import type { Json } from '../support/http/api';
import { bookConfirmed, createCustomer, inMinutes, performStep } from '../support/contexts/appointments';
import { expectStatus, TestTenant } from '../support/builders';
import { changeCall } from '../support/contexts/line';
import { expectFailure } from '../support/database/failures';
import { callRow, eventsOf } from '../support/database/rows';
import type { TestSocket } from '../support/sockets/socket';
import { closingSockets } from '../support/sockets/connect-sockets';
import { sweep } from '../support/contexts/sweep';
import { transfer } from '../support/contexts/transfers';
import { startTestApp, type TestApp } from '../support/test-app';

const MINUTE = 60;

let test: TestApp;
let tenant: TestTenant;
let department: Json;
let link: Json;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  // The tests move the clock by hours, so the access token must outlive that.
  test = await startTestApp({ env: { ACCESS_TOKEN_TTL: '1000000' } });
  tenant = await TestTenant.register(test);
});

beforeEach(async () => {
  ({ department, link } = await tenant.queue({ max_wait_time: 3600 }));
});

afterAll(() => test.close());

/** Creates a confirmed appointment in the department with a new agent, starting in this many minutes. */
async function appointment(minutes: number, input: Json = {}): Promise<Json> {
  const { id: user_id } = await tenant.member('attendant', [department.id]);
  const times = { starts_at: inMinutes(test, minutes), ends_at: inMinutes(test, minutes + 60) };
  return bookConfirmed(tenant, { ...times, user_id, department_id: department.id, ...input });
}

it('the link shows the appointment, and its customer joins without a name', async () => {
  const customer = await createCustomer(tenant, {
    name: 'Carla Lima',
    email: 'carla@example.com',
    phone: '+55 11 91234-5678',
  });
  const booked = await appointment(5, { customer_id: customer.id, title: 'Contract' });
  const { token } = booked.access_link;
  const agent = (await tenant.owner.api.get(`/api/v1/users/${booked.user_id}`)).body.data;
  const path = `/api/v1/call/${token}`;
  const { starts_at, ends_at } = booked;
  expect((await test.api.get(`${path}/validate`)).body.data).toMatchObject({
    appointment: { starts_at, ends_at, title: 'Contract', agent_name: agent.name },
    customer_name: 'Carla Lima',
  });
  const joined = await test.api.post(`${path}/join`, {});
  expectStatus(joined, 200);
  expect(await callRow(test, joined.body.data.call_id)).toMatchObject({
    customer_id: customer.id,
    customer_name: 'Carla Lima',
    customer_email: null,
    customer_phone: null,
  });
});

it('without a customer, or by any other link, the name is required', async () => {
  const booked = await appointment(5);
  const { token } = booked.access_link;
  expect((await test.api.get(`/api/v1/call/${token}/validate`)).body.data).toMatchObject({
    appointment: { title: null },
    customer_name: null,
  });
  const customer = await createCustomer(tenant);
  const personal = await tenant.link(department.id, { customer_id: customer.id });
  expect((await test.api.get(`/api/v1/call/${personal.token}/validate`)).body.data).toMatchObject({
    appointment: null,
    customer_name: null,
  });
  for (const where of [token, personal.token, link.token]) {
    for (const body of [{}, { name: null }, { name: ' ' }]) {
      const answer = await test.api.post(`/api/v1/call/${where}/join`, body);
      expectFailure(answer, 422, { code: 'validation_failed', field: 'name' });
    }
  }
});

/** Polls the queue position of each call. */
async function positionsOf(...entries: Json[]): Promise<number[]> {
  const polls = entries.map(({ call_id }) => test.api.get(`/api/v1/call/status/${call_id}`));
  return (await Promise.all(polls)).map(({ body }) => body.data.position);
}

const lastPosition = (socket: TestSocket): number => socket.all('queue_position').at(-1)?.position;

const tryLink = (token: string) =>
  Promise.all([
    test.api.get(`/api/v1/call/${token}/validate`),
    test.api.post(`/api/v1/call/${token}/join`, { name: 'Eva' }),
  ]);

describe('a customer who joins before the appointment', () => {
  it('waits in joining order, then moves to the front at the appointed time and all positions are sent', async () => {
    const staffSocket = await connect(tenant.owner.token);
    await staffSocket.send('watch_department', { department_id: department.id });
    const [a, b] = [await tenant.join(link), await tenant.join(link)];
    const { access_link, user_id, starts_at } = await appointment(10);
    const c = await tenant.join(access_link);
    expect(c).toMatchObject({ position: 3, estimated_wait_time: 3 * 180 });
    expect(await positionsOf(a, b, c)).toEqual([1, 2, 3]);
    const before = await callRow(test, c.call_id);
    expect(before).toMatchObject({ priority_since: null, reserved_user_id: user_id, version: 1 });
    expect(before.priority_deadline.toISOString()).toBe(starts_at);
    const sockets = await Promise.all([a, b, c].map((entry) => connect(entry.websocket_token)));
    const [first, second, third] = sockets as [TestSocket, TestSocket, TestSocket];
    await Promise.all(sockets.map((socket) => socket.waitFor('queue_position')));

    test.clock.advance(9 * MINUTE + 30);
    await sweep(test);
    expect(await positionsOf(a, b, c)).toEqual([1, 2, 3]);
    test.clock.advance(31);
    // Without a manual sweep: the service's own sweeper moves the call within about a second.
    await third.waitFor('queue_position', ({ position }) => position === 1);
    await first.waitFor('queue_position', ({ position }) => position === 2);
    await second.waitFor('queue_position', ({ position }) => position === 3);
    expect(await positionsOf(a, b, c)).toEqual([2, 3, 1]);
    const update = await staffSocket.waitFor(
      'queue_updated',
      ({ department_id, calls }) => department_id === department.id && calls[0]?.id === c.call_id,
    );
    expect(update.calls.map(({ id }: Json) => id)).toEqual([c.call_id, a.call_id, b.call_id]);
    await staffSocket.waitFor(
      'call_updated',
      ({ call_id, version }) => call_id === c.call_id && version === 2,
    );
    expect(await callRow(test, c.call_id)).toMatchObject({
      priority_since: new Date(starts_at),
      priority_deadline: null,
      version: 2,
    });
    expect(await eventsOf(test, c.call_id)).toEqual(['call.queued', 'call.updated']);

    const d = await tenant.join(link);
    expect(d).toMatchObject({ position: 4 });
    await sweep(test);
    expect(await positionsOf(a, b, c, d)).toEqual([2, 3, 1, 4]);
    expect(await eventsOf(test, c.call_id)).toHaveLength(2);
    const reconnected = await connect(b.websocket_token);
    await reconnected.waitFor('queue_position');
    expect([lastPosition(reconnected), reconnected.all('snapshot')[0].position]).toEqual([3, 3]);
  });

  it('goes before customers with a later appointment, whatever the joining order', async () => {
    const a = await tenant.join(link);
    const [late, early] = [await appointment(12), await appointment(6)];
    const y = await tenant.join(late.access_link);
    const x = await tenant.join(early.access_link);
    expect(await positionsOf(a, y, x)).toEqual([1, 2, 3]);
    test.clock.advance(7 * MINUTE);
    await sweep(test);
    expect(await positionsOf(a, y, x)).toEqual([2, 3, 1]);
    test.clock.advance(6 * MINUTE);
    await sweep(test);
    expect(await positionsOf(a, y, x)).toEqual([3, 2, 1]);
    const again = await tenant.join(early.access_link);
    expect(await positionsOf(a, y, x, again)).toEqual([4, 3, 1, 2]);
  });

  it('has the maximum wait time counted from the appointed time', async () => {
    await tenant.owner.api.put(`/api/v1/departments/${department.id}`, {
      department: { max_wait_time: 300 },
    });
    const { access_link, starts_at } = await appointment(10);
    const { call_id } = await tenant.join(access_link);
    const deadline = new Date(Date.parse(starts_at) + 300_000);
    expect(await callRow(test, call_id)).toMatchObject({ wait_deadline: deadline });
    test.clock.advance(14 * MINUTE);
    await sweep(test);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'queued', wait_deadline: deadline });
    test.clock.advance(MINUTE + 1);
    await sweep(test);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'abandoned' });
  });

  it('can be served early, which clears the deadline', async () => {
    const { access_link } = await appointment(10);
    const { call_id } = await tenant.join(access_link);
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/start`), 200);
    const before = await callRow(test, call_id);
    expect(before).toMatchObject({ status: 'active', next_deadline: null });
    test.clock.advance(11 * MINUTE);
    await sweep(test);
    expect(await callRow(test, call_id)).toEqual(before);
  });

  it.each([
    ['before', 5],
    ['after', 15],
  ])('gets its priority if it is served early and transferred %s the appointed time', async (_, minutes) => {
    const { department: target, link: targetLink } = await tenant.queue({ max_wait_time: 3600 });
    const { access_link, starts_at } = await appointment(10);
    const { call_id } = await tenant.join(access_link);
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/start`), 200);
    test.clock.advance(minutes * MINUTE);
    const waiting = await tenant.join(targetLink);
    await changeCall(test, waiting.call_id, { rank_at: new Date(0) });
    await transfer(tenant.owner, call_id, { department_id: target.id });
    test.clock.advance(6 * MINUTE);
    await sweep(test);
    expect(await callRow(test, call_id)).toMatchObject({
      status: 'queued',
      priority_since: new Date(starts_at),
      priority_deadline: null,
      suspended_priority_deadline: null,
    });
    expect(await positionsOf({ call_id }, waiting)).toEqual([1, 2]);
  });
});

describe('a customer who joins at the appointed time', () => {
  it('is first in the queue at once, with the matching wait estimate', async () => {
    const [a, b] = [await tenant.join(link), await tenant.join(link)];
    const sockets = await Promise.all([a, b].map((entry) => connect(entry.websocket_token)));
    await Promise.all(sockets.map((socket) => socket.waitFor('queue_position')));
    const { access_link, starts_at } = await appointment(-2);
    const c = await tenant.join(access_link);
    expect(c).toMatchObject({ position: 1, estimated_wait_time: 180 });
    expect(await callRow(test, c.call_id)).toMatchObject({
      estimated_wait_time: 180,
      priority_since: new Date(starts_at),
      priority_deadline: null,
    });
    await sockets[0]?.waitFor('queue_position', ({ position }) => position === 2);
    await sockets[1]?.waitFor('queue_position', ({ position }) => position === 3);
    expect(await positionsOf(a, b, c)).toEqual([2, 3, 1]);
  });

  it('can join when the queue is full', async () => {
    await tenant.owner.api.put(`/api/v1/departments/${department.id}`, { department: { max_queue_size: 1 } });
    await tenant.join(link);
    expectFailure(await test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Late' }), 422, {
      code: 'queue_full',
    });
    const { access_link } = await appointment(5);
    expect(await tenant.join(access_link)).toMatchObject({ position: 2 });
  });
});

describe("an appointment's link", () => {
  it('is not valid until 15 minutes before the start, and the error names that time', async () => {
    const { access_link } = await appointment(20);
    for (const answer of await tryLink(access_link.token)) {
      expectFailure(answer, 404, { code: 'link_not_yet_valid' });
      const clock = new Date(access_link.valid_from).toLocaleTimeString('en-GB', {
        timeZone: 'America/Sao_Paulo',
        hour: '2-digit',
        minute: '2-digit',
      });
      expect(answer.body.errors.detail).toContain(`at ${clock} (America/Sao_Paulo)`);
    }
    test.clock.advance(5 * MINUTE + 1);
    for (const answer of await tryLink(access_link.token)) expect(answer.status).toBe(200);
  });

  it('expires at the end of the appointment', async () => {
    const { access_link } = await appointment(-59);
    for (const answer of await tryLink(access_link.token)) expect(answer.status).toBe(200);
    test.clock.advance(2 * MINUTE);
    for (const answer of await tryLink(access_link.token))
      expectFailure(answer, 404, { code: 'link_expired' });
  });

  it('does not reveal the time once it is cancelled or while the tenant is suspended', async () => {
    const [cancelled, suspended] = [await appointment(60), await appointment(120)];
    await performStep(tenant, cancelled.id, 'cancel');
    for (const answer of await tryLink(cancelled.access_link.token))
      expectFailure(answer, 404, { code: 'link_cancelled' });
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [tenant.id]);
    try {
      for (const answer of await tryLink(suspended.access_link.token)) {
        expectFailure(answer, 404, { code: 'tenant_suspended' });
      }
    } finally {
      await test.db.query('UPDATE tenants SET suspended_at = NULL WHERE id = $1', [tenant.id]);
    }
  });
});
