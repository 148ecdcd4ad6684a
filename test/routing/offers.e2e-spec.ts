import type { Principal } from '../../src/platform/access/principal';
import { ExclusionCleanup } from '../../src/routing/dispatch/exclusion-cleanup';
import { TenantRouter } from '../../src/routing/dispatch/tenant-router';
import { wakeOf } from '../../src/routing/dispatch/wake';
import { AcceptOffer } from '../../src/routing/offers/accept-offer';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { bookConfirmed, createCustomer, inMinutes } from '../support/contexts/appointments';
import {
  automaticQueue,
  availableAgent,
  type ConnectedAgent,
  offersOf,
  pendingOffer,
  untilState,
} from '../support/contexts/offers';
import { transfer } from '../support/contexts/transfers';
import { createWebhook } from '../support/contexts/webhooks';
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
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});
afterAll(() => test.close());

beforeEach(async () => {
  ({ department, link } = await automaticQueue(tenant));
});

afterEach(() => test.clock.reset());

const agent = (): Promise<ConnectedAgent> => availableAgent(tenant, connect, [department.id]);
/** The offer of the call to a new agent. */
const offerOfAgent = async (callId: string): Promise<Json> => pendingOffer(await agent(), callId);
const join = async (): Promise<string> => (await tenant.join(link)).call_id;
const callOf = async (id: string): Promise<Json> =>
  (await tenant.owner.api.get(`/api/v1/calls/${id}`)).body.data;
const principalOf = ({ id, name }: Member): Principal => ({
  tenant_id: tenant.id,
  user_id: id,
  session_id: someId(),
  role: 'attendant',
  name,
  restricted: false,
});
const accept = ({ api }: Member, { id }: Json) => api.post(`/api/v1/offers/${id}/accept`);
const decline = ({ api }: Member, { id }: Json, body?: object) =>
  api.post(`/api/v1/offers/${id}/decline`, body);
const ended = (callId: string) =>
  until(async () => (await offersOf(test, callId)).find(({ status }) => status !== 'pending'));

/** Waits until a call is being offered: the application's own distribution may be offering it. @returns the offer */
const offerOf = (callId: string): Promise<Json> =>
  until(async () => (await offersOf(test, callId)).find(({ status }) => status === 'pending'));

/** An agent who becomes available when a call is looked at, without a message that says so. */
async function pausedAgent(departmentIds: string[]) {
  const { id } = await availableAgent(tenant, connect, departmentIds);
  const setState = (state: string, chosen: string) =>
    test.db.query('UPDATE presences SET state = $2, chosen = $3 WHERE user_id = $1', [id, state, chosen]);
  await setState('paused', 'away');
  return {
    id,
    lookAt: async (callId: string) => {
      await setState('available', 'online');
      await test.get(TenantRouter).run(wakeOf(tenant.id, { call_ids: [callId] }));
    },
  };
}

const wasTold = async (callId: string): Promise<boolean> => (await callOf(callId)).has_estimate;

describe('the wait that is told at the join', () => {
  it('is none if the call is offered at once, because the page shows that an agent is being called', async () => {
    await agent();
    const atOnce = await join();
    await offerOf(atOnce);
    expect(await wasTold(atOnce)).toBe(false);
    const waiting = await join();
    expect(await wasTold(waiting)).toBe(true);
    test.clock.advance(3);
    await offerOfAgent(waiting);
    expect(await wasTold(waiting)).toBe(true);
  });
});

describe('an offer', () => {
  it('of a call that was transferred to the department has the note of the last transfer', async () => {
    const other = await tenant.queue();
    const colleague = await tenant.member('attendant', [other.department.id]);
    const { call_id, websocket_token } = await tenant.join(other.link as { token: string });
    await connect(websocket_token);
    expectStatus(await colleague.api.post(`/api/v1/calls/${call_id}/start`), 200);
    await transfer(colleague, call_id, { department_id: department.id, note: 'Wants the invoice again' });
    expect(await offerOfAgent(call_id)).toMatchObject({ kind: 'line', note: 'Wants the invoice again' });

    const plain = await join();
    expect(await offerOfAgent(plain)).toMatchObject({ kind: 'line', note: null });
  });

  it('says which appointment it is, and whether the customer has called before', async () => {
    const ana = await agent();
    const webhook = await createWebhook(tenant, undefined, ['call.offered', 'call.offer_ended']);
    const { id: customer_id } = await createCustomer(tenant);
    const {
      id,
      starts_at,
      ends_at,
      access_link: token,
    } = await bookConfirmed(tenant, {
      user_id: ana.id,
      department_id: department.id,
      customer_id,
      title: 'Contract renewal',
      starts_at: inMinutes(test, 5),
      ends_at: inMinutes(test, 35),
    });
    const appointment = { id, title: 'Contract renewal', starts_at, ends_at };
    const { call_id } = await tenant.join(token as { token: string });
    const { offer } = await ana.socket.waitFor('offer', ({ call }) => call.id === call_id);
    const first = { call_id, appointment, known_customer: false };
    expect(offer).toMatchObject(first);
    expect(await pendingOffer(ana, call_id)).toEqual(offer);
    const [inSnapshot] = (await ana.socket.send('snapshot')).data.offers;
    expect(inSnapshot.offer).toEqual(offer);
    expect((await decline(ana, offer)).body.data).toMatchObject({ ...first, status: 'declined' });
    const payloads = async () =>
      (
        await test.db.query(
          'SELECT payload FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY inserted_at',
          [webhook.id],
        )
      ).rows.map(({ payload }: Json) => payload.data);
    await until(async () => (await payloads()).length === 2);
    expect(await payloads()).toEqual([expect.objectContaining(first), expect.objectContaining(first)]);

    await tenant.owner.api.post(`/api/v1/calls/${call_id}/start`);
    await tenant.owner.api.post(`/api/v1/calls/${call_id}/complete`);
    const { body } = await tenant.owner.api.post('/api/v1/access-links', {
      department_id: department.id,
      customer_id,
    });
    const again = await tenant.join(body.data);
    expect(await pendingOffer(ana, again.call_id)).toMatchObject({ appointment: null, known_customer: true });
    expect(await offerOfAgent(await join())).toMatchObject({ appointment: null, known_customer: false });
  });

  it('is made to an available agent when a customer joins, and the call keeps its place', async () => {
    const ana = await agent();
    const callId = await join();
    const offer = await pendingOffer(ana);
    expect(offer).toMatchObject({
      call_id: callId,
      user_id: ana.id,
      department_id: department.id,
      kind: 'line',
      status: 'pending',
      reason: null,
      ended_at: null,
    });
    expect(Date.parse(offer.expires_at) - Date.parse(offer.offered_at)).toBe(20_000);
    expect(await callOf(callId)).toMatchObject({ status: 'queued', user_id: null });
    const position = await test.api.get(`/api/v1/call/status/${callId}`);
    expect(position.body.data.position).toBe(1);
    await untilState(test, ana.id, 'offered');
  });

  it('is made when an agent becomes available, and the longest waiting call comes first', async () => {
    const [first, second] = [await join(), await join()];
    const ana = await agent();
    expect((await pendingOffer(ana)).call_id).toBe(first);
    const bob = await agent();
    expect((await pendingOffer(bob)).call_id).toBe(second);
  });

  it('is of the first call across all departments of the agent, whichever call is looked at', async () => {
    const other = await automaticQueue(tenant);
    const idle = await pausedAgent([department.id, other.department.id]);
    const first = (await tenant.join(other.link)).call_id;
    const second = await join();
    await idle.lookAt(second);
    await offerOf(first);
    expect(await offersOf(test, first)).toMatchObject([{ user_id: idle.id, status: 'pending' }]);
    expect(await offersOf(test, second)).toEqual([]);
  });

  it.each([
    ['that is reserved for the agent in a department of others, if it is the first one', true],
    ['of the agent, before one that is reserved for them in a department of others', false],
  ])('is of a call %s, whichever call is looked at', async (_name, isReservedFirst) => {
    const other = await automaticQueue(tenant);
    const idle = await pausedAgent([department.id]);
    const reserve = async () => {
      await test.db.query('UPDATE access_links SET reserved_user_id = $2 WHERE id = $1', [
        other.link.id,
        idle.id,
      ]);
      return (await tenant.join(other.link as { token: string })).call_id;
    };
    const [first, second] = isReservedFirst
      ? [await reserve(), await join()]
      : [await join(), await reserve()];
    await idle.lookAt(second);
    await offerOf(first);
    expect(await offersOf(test, first)).toMatchObject([{ user_id: idle.id, status: 'pending' }]);
    expect(await offersOf(test, second)).toEqual([]);
  });

  it('is of the first call of the better agent, although the other one was served first', async () => {
    const other = await automaticQueue(tenant);
    const ana = await availableAgent(tenant, connect, [department.id]);
    const bob = await availableAgent(tenant, connect, [department.id, other.department.id]);
    const ids = [ana.id, bob.id];
    const setState = (state: string, chosen: string) =>
      test.db.query(
        `UPDATE presences SET state = $2, chosen = $3, idle_since = now() - array_position($1, user_id) * interval '1 hour'
         WHERE user_id = ANY ($1)`,
        [ids, state, chosen],
      );
    await setState('paused', 'away');
    const first = (await tenant.join(other.link)).call_id;
    const second = await join();
    await setState('available', 'online');
    await test.get(TenantRouter).run(wakeOf(tenant.id, { user_ids: [ana.id] }));
    for (const callId of [first, second]) await offerOf(callId);
    expect(await offersOf(test, first)).toMatchObject([{ user_id: bob.id, status: 'pending' }]);
    expect(await offersOf(test, second)).toMatchObject([{ user_id: ana.id, status: 'pending' }]);
  });

  it('goes to the agent who has been idle longest', async () => {
    const [ana, bob] = [await agent(), await agent()];
    await test.db.query(
      `UPDATE presences SET idle_since = idle_since - interval '1 hour' WHERE user_id = $1`,
      [bob.id],
    );
    const [first, second] = [await join(), await join()];
    expect((await pendingOffer(bob)).call_id).toBe(first);
    expect((await pendingOffer(ana)).call_id).toBe(second);
  });

  it('is accepted: the call is assigned and started at once', async () => {
    const ana = await agent();
    const callId = await join();
    const offer = await pendingOffer(ana);
    const answer = await accept(ana, offer);
    expect([answer.status, answer.body.data]).toMatchObject([
      200,
      { id: callId, status: 'active', user_id: ana.id },
    ]);
    expect((await offersOf(test, callId))[0]).toMatchObject({ status: 'accepted', reason: null });
    await untilState(test, ana.id, 'on_call');
    expectFailure(await accept(ana, offer), 422, { code: 'offer_ended' });
    await ana.api.post(`/api/v1/calls/${callId}/complete`);
    await untilState(test, ana.id, 'available');
  });

  it.each(['line', 'transfer'])('of a %s has ended for an agent who was deactivated', async (kind) => {
    const [ana, bob] = [await agent(), await availableAgent(tenant, connect, [])];
    const callId = await join();
    const first = await pendingOffer(ana);
    if (kind === 'transfer') {
      expectStatus(await accept(ana, first), 200);
      await transfer(ana, callId, { user_id: bob.id });
    }
    const [taker, offer] = kind === 'line' ? [ana, first] : [bob, await pendingOffer(bob)];
    // After the request was authenticated, before the offer is withdrawn.
    await test.db.query('UPDATE users SET active = false WHERE id = $1', [taker.id]);
    await expect(test.get(AcceptOffer).accept(principalOf(taker), offer.id)).rejects.toMatchObject({
      code: 'offer_ended',
    });
    expect(await callOf(callId)).toMatchObject(
      kind === 'line' ? { status: 'queued' } : { status: 'active', user_id: ana.id },
    );
  });

  it('that has expired is not withdrawn because of the plan', async () => {
    const limited = await TestTenant.register(test, 'free');
    const { department: only, link: its } = await automaticQueue(limited);
    const ana = await availableAgent(limited, connect, [only.id]);
    const { call_id } = await limited.join(its as { token: string });
    const offer = await pendingOffer(ana);
    const { call_id: other } = await limited.join(its as { token: string });
    expectStatus(await limited.owner.api.post(`/api/v1/calls/${other}/start`), 200);
    await test.db.query('UPDATE offers SET expires_at = $2 WHERE id = $1', [offer.id, test.clock.now()]);
    expectFailure(await accept(ana, offer), 422, { code: 'offer_ended' });
    expect(await ended(call_id)).toMatchObject({ status: 'expired' });
  });

  it('is declined: another agent gets the call, and the first one no other offer of it for 10 s', async () => {
    const ana = await agent();
    const callId = await join();
    const answer = await decline(ana, await pendingOffer(ana), { reason: 'I know this customer' });
    expect([answer.status, answer.body.data]).toMatchObject([
      200,
      { status: 'declined', reason: 'I know this customer', ended_at: expect.any(String) },
    ]);
    const next = await join();
    expect((await pendingOffer(ana)).call_id).toBe(next);
    const bob = await agent();
    expect((await pendingOffer(bob)).call_id).toBe(callId);
    await decline(bob, await pendingOffer(bob));
    await decline(ana, await pendingOffer(ana));
    expect((await pendingOffer(bob)).call_id).toBe(next);
    test.clock.advance(11);
    expect((await pendingOffer(ana)).call_id).toBe(callId);
  });

  it('expires: the call keeps its place, and the agent is paused until they return', async () => {
    const ana = await agent();
    const callId = await join();
    await pendingOffer(ana);
    test.clock.advance(20);
    expect(await ended(callId)).toMatchObject({ status: 'expired', reason: null });
    expect(await untilState(test, ana.id, 'paused')).toMatchObject({ state_reason: 'missed_offer' });
    expect(await callOf(callId)).toMatchObject({ status: 'queued' });
    await ana.api.put(`/api/v1/users/${ana.id}/state`, { state: 'available' });
    expect((await pendingOffer(ana)).call_id).toBe(callId);
  });

  it('does not pause the agent whose company does not want that', async () => {
    await tenant.owner.api.put('/api/v1/tenant', { tenant: { pause_after_missed_offer: false } });
    const ana = await agent();
    const callId = await join();
    await pendingOffer(ana);
    test.clock.advance(20);
    await ended(callId);
    await untilState(test, ana.id, 'available');
    await tenant.owner.api.put('/api/v1/tenant', { tenant: { pause_after_missed_offer: true } });
  });

  it('belongs to its agent', async () => {
    const ana = await agent();
    const bob = await agent();
    const callId = await join();
    const offer = await offerOf(callId);
    const [owner, other] = offer.user_id === ana.id ? [ana, bob] : [bob, ana];
    expectFailure(await accept(other, offer), 404);
    expectFailure(await decline(other, offer), 404);
    expect((await other.api.get('/api/v1/offers')).body.data).toEqual([]);
    expect((await accept(owner, offer)).body.data.id).toBe(callId);
  });

  it('lets a restricted attendant see the call until it ends', async () => {
    await tenant.owner.api.put('/api/v1/tenant', { restrict_attendants: true });
    const stranger = await availableAgent(tenant, connect, []);
    const callId = await join();
    expectFailure(await stranger.api.get(`/api/v1/calls/${callId}`), 404);
    await tenant.owner.api.post(`/api/v1/calls/${callId}/offer`, { user_id: stranger.id });
    expect((await stranger.api.get(`/api/v1/calls/${callId}`)).body.data.id).toBe(callId);
    expect((await stranger.api.get('/api/v1/calls')).body.meta.total_count).toBe(1);
    await decline(stranger, await pendingOffer(stranger));
    expectFailure(await stranger.api.get(`/api/v1/calls/${callId}`), 404);
    await tenant.owner.api.put('/api/v1/tenant', { restrict_attendants: false });
  });

  it('excludes its agent for a while, of which nothing is kept', async () => {
    const ana = await agent();
    const callId = await join();
    await decline(ana, await pendingOffer(ana));
    const exclusions = async () =>
      (await test.db.query('SELECT FROM offer_exclusions WHERE call_id = $1', [callId])).rows.length;
    await test.get(ExclusionCleanup).run();
    expect(await exclusions()).toBe(1);
    test.clock.advance(71);
    await test.get(ExclusionCleanup).run();
    expect(await exclusions()).toBe(0);
  });
});
