import { StaffBroadcast } from '../../src/live/broadcasts/staff-broadcast';
import { InvalidOffers } from '../../src/routing/dispatch/invalid-offers';
import { expectStatus, TestTenant } from '../support/builders';
import { secondsAfter } from '../support/contexts/line';
import {
  automaticQueue,
  availableAgent,
  type ConnectedAgent,
  offersOf,
  pendingOffer,
  untilState,
} from '../support/contexts/offers';
import { activeCall, transfer } from '../support/contexts/transfers';
import { expectFailure } from '../support/database/failures';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

let test: TestApp;
let tenant: TestTenant;
let department: Json;
let link: Json;
let ana: ConnectedAgent;
let customer: Json;
let offer: Json;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
});
afterAll(() => test.close());

/** Ana is being offered a call. */
beforeEach(async () => {
  tenant = await TestTenant.register(test);
  ({ department, link } = await automaticQueue(tenant));
  ana = await availableAgent(tenant, connect, [department.id]);
  customer = await tenant.join(link);
  offer = await pendingOffer(ana);
});

afterEach(() => test.clock.reset());

/** Waits until the offer is withdrawn. @returns the reason */
const reason = async (): Promise<string> => {
  const found = await until(async () =>
    (await offersOf(test, offer.call_id)).find(({ id, status }) => id === offer.id && status !== 'pending'),
  );
  expect(found.status).toBe('withdrawn');
  expectFailure(await ana.api.post(`/api/v1/offers/${offer.id}/accept`), 422, { code: 'offer_ended' });
  return found.reason;
};

describe('an offer is withdrawn', () => {
  it('when the customer leaves', async () => {
    await test.api.as(customer.websocket_token).post(`/api/v1/call/cancel/${offer.call_id}`);
    expect(await reason()).toBe('customer_left');
    await untilState(test, ana.id, 'available');
  });

  it('5 s after the customer lost the last socket, unless they are back', async () => {
    const joined = await tenant.join(link);
    const bob = await availableAgent(tenant, connect, [department.id]);
    const socket = await connect(joined.websocket_token);
    offer = await pendingOffer(bob, joined.call_id);
    const deadline = () =>
      test.db
        .query('SELECT customer_deadline FROM offers WHERE id = $1', [offer.id])
        .then(({ rows }) => rows[0].customer_deadline as Date | null);
    // Otherwise the 5 s may pass before the customer is back.
    test.clock.stop();
    socket.close();
    expect(await until(deadline)).toEqual(secondsAfter(test.clock.now(), 5));
    const again = await connect(joined.websocket_token);
    await until(async () => (await deadline()) === null);
    again.close();
    await until(deadline);
    test.clock.advance(5);
    await until(async () => (await offersOf(test, joined.call_id))[0]?.reason === 'customer_absent');
    await untilState(test, bob.id, 'available');
    expect((await offersOf(test, joined.call_id)).length).toBe(1);
    // The customer is offered again when they are back.
    await connect(joined.websocket_token);
    expect((await pendingOffer(bob)).call_id).toBe(joined.call_id);
  });

  it('when a colleague takes the call', async () => {
    await tenant.owner.api.post(`/api/v1/calls/${offer.call_id}/start`);
    expect(await reason()).toBe('call_taken');
    await untilState(test, ana.id, 'available');
  });

  it('when the agent gets another call', async () => {
    const { call_id } = await tenant.join(link);
    await tenant.owner.api.post(`/api/v1/calls/${call_id}/assign`, { user_id: ana.id });
    expect(await reason()).toBe('agent_busy');
    await untilState(test, ana.id, 'on_call');
  });

  it('when the last socket of the agent is gone', async () => {
    ana.socket.close();
    expect(await reason()).toBe('agent_offline');
    await untilState(test, ana.id, 'offline');
  });

  it('when the agent pauses', async () => {
    await ana.api.put(`/api/v1/users/${ana.id}/state`, { state: 'paused' });
    expect(await reason()).toBe('agent_paused');
    await untilState(test, ana.id, 'paused');
  });

  it('when the agent leaves the department', async () => {
    await tenant.owner.api.put(`/api/v1/users/${ana.id}`, { user: { department_ids: [] } });
    expect(await reason()).toBe('not_a_member');
    await untilState(test, ana.id, 'available');
  });

  it('when the agent is deactivated', async () => {
    await tenant.owner.api.put(`/api/v1/users/${ana.id}`, { user: { active: false } });
    await until(async () => (await offersOf(test, offer.call_id))[0]?.status === 'withdrawn');
  });

  it.each([{ routing: 'manual' }, { active: false }])('when the department becomes %j', async (changes) => {
    await tenant.owner.api.put(`/api/v1/departments/${department.id}`, { department: changes });
    expect(await reason()).toBe('department_changed');
    await untilState(test, ana.id, 'available');
  });

  it('when the department is deleted', async () => {
    await tenant.owner.api.delete(`/api/v1/departments/${department.id}`);
    expect(await reason()).toBe('department_changed');
  });

  it.each([
    ['tenant_suspended', 'the company is suspended', 'UPDATE tenants SET suspended_at = now() WHERE id = $1'],
    ['agent_inactive', 'the agent is deactivated', 'UPDATE users SET active = false WHERE tenant_id = $1'],
  ])('with %s when %s by the command line', async (expected, _, change) => {
    // Otherwise the sockets of the agent may be closed first, which withdraws the offer, too.
    const closing = jest.spyOn(test.get(StaffBroadcast), 'disconnectBlocked').mockResolvedValue();
    await test.db.query(change, [tenant.id]);
    const found = await until(async () =>
      (await offersOf(test, offer.call_id)).find(({ status }) => status === 'withdrawn'),
    );
    closing.mockRestore();
    expect(found.reason).toBe(expected);
  });
});

/** Runs what withdraws offers every second. */
const withdraw = () => test.get(InvalidOffers).withdrawAll();

describe('an offer stays', () => {
  it('if it is of a transfer, whose department need not offer its calls', async () => {
    const manual = await tenant.queue();
    const { call_id } = await activeCall(tenant, manual.link as { token: string }, await tenant.member());
    const bob = await availableAgent(tenant, connect, []);
    await transfer(tenant.owner, call_id, { user_id: bob.id });
    await withdraw();
    expect(await offersOf(test, call_id)).toMatchObject([{ kind: 'transfer', status: 'pending' }]);
  });

  it('if a supervisor made it to an agent of another department', async () => {
    const { department: other } = await automaticQueue(tenant);
    const bob = await availableAgent(tenant, connect, [other.id]);
    const forced = await tenant.owner.api.post(`/api/v1/calls/${offer.call_id}/offer`, { user_id: bob.id });
    expectStatus(forced, 201);
    await withdraw();
    expect((await offersOf(test, offer.call_id)).at(-1)).toMatchObject({ kind: 'forced', status: 'pending' });
  });
});
