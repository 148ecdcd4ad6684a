import { Queue } from '../../src/calls/queue/queue';
import { TestTenant } from '../support/builders';
import {
  automaticQueue,
  availableAgent,
  type ConnectedAgent,
  pendingOffer,
} from '../support/contexts/offers';
import { activeCall, transfer } from '../support/contexts/transfers';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

let test: TestApp;
let tenant: TestTenant;
let department: Json;
let link: Json;
let agent: ConnectedAgent;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});
afterAll(() => test.close());

beforeEach(async () => {
  ({ department, link } = await automaticQueue(tenant));
  agent = await availableAgent(tenant, connect, [department.id]);
});

afterEach(() => test.clock.reset());

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const stateOf = async ({ id }: ConnectedAgent) =>
  (await test.db.query('SELECT state, reason FROM presences WHERE user_id = $1', [id])).rows[0];

describe('the messages about offers', () => {
  it('reach every tab of the agent, with the call, and no colleague', async () => {
    const tab = await connect(agent.token);
    const colleague = await connect((await tenant.member()).token);
    const { call_id } = await tenant.join(link, { reason: 'Card' });
    const message = await agent.socket.waitFor('offer');
    expect(message).toMatchObject({
      call_id,
      at: message.offer.offered_at,
      offer: { call_id, user_id: agent.id, status: 'pending' },
      call: { id: call_id, status: 'queued', department_id: department.id },
    });
    expect(await tab.waitFor('offer')).toEqual(message);
    const late = await connect(agent.token);
    const { offers } = late.all('snapshot')[0];
    expect(offers).toEqual([{ offer: message.offer, call: message.call }]);
    expect(await agent.socket.send('accept_offer', { offer_id: message.offer.id })).toMatchObject({
      ok: true,
      data: { id: call_id, status: 'active', user_id: agent.id },
    });
    const ended = {
      call_id,
      offer_id: message.offer.id,
      status: 'accepted',
      reason: null,
      at: expect.stringMatching(ISO_TIME),
    };
    expect(await tab.waitFor('offer_ended')).toEqual(ended);
    expect(await late.waitFor('offer_ended')).toEqual(ended);
    expect(colleague.all('offer')).toEqual([]);
  });

  it('tell the customer that an agent is being called, wherever they ask', async () => {
    const entry = await tenant.join(link);
    expect(entry.ringing).toBe(false);
    const { offer } = await agent.socket.waitFor('offer');
    const customer = await connect(entry.websocket_token);
    const poll = async () => (await test.api.get(`/api/v1/call/status/${entry.call_id}`)).body.data.ringing;
    const line = async () => (await test.get(Queue).positionsOf(tenant.id, department.id))[0]?.ringing;
    const snapshot = async () => (await customer.send('snapshot')).data.ringing;
    const answers = async () => [await poll(), await line(), await snapshot()];
    expect(customer.all('snapshot')[0].ringing).toBe(true);
    expect(await answers()).toEqual([true, true, true]);

    await agent.socket.send('decline_offer', { offer_id: offer.id });
    await customer.waitFor('queue_position', ({ ringing }) => !ringing);
    expect(await answers()).toEqual([false, false, false]);

    const other = await availableAgent(tenant, connect, [department.id]);
    // Its event may be missed while the socket connects; the snapshot then has it.
    await pendingOffer(other);
    await until(() => customer.all('queue_position').at(-1)?.ringing);
    expect(await answers()).toEqual([true, true, true]);
  });

  it('say why an offer ended', async () => {
    await tenant.join(link);
    const { offer } = await agent.socket.waitFor('offer');
    const declined = await agent.socket.send('decline_offer', { offer_id: offer.id, reason: 'Lunch' });
    expect(declined).toMatchObject({ ok: true, data: { status: 'declined' } });
    expect(await agent.socket.waitFor('offer_ended')).toEqual({
      call_id: offer.call_id,
      at: expect.stringMatching(ISO_TIME),
      offer_id: offer.id,
      status: 'declined',
      reason: 'Lunch',
    });
    expect(await agent.socket.send('accept_offer', { offer_id: offer.id })).toMatchObject({
      ok: false,
      error: { code: 'offer_ended' },
    });
  });

  describe('of transfers', () => {
    let call_id: string;
    let colleague: ConnectedAgent;
    let offer: Json;

    /** The agent's call is offered to a colleague. */
    beforeEach(async () => {
      ({ call_id } = await activeCall(tenant, link, agent));
      colleague = await availableAgent(tenant, connect, []);
      await transfer(agent, call_id, { user_id: colleague.id, note: 'Refund' });
      ({ offer } = await colleague.socket.waitFor('offer'));
      expect(offer).toMatchObject({ kind: 'transfer', note: 'Refund', offered_by: agent.id });
    });

    const expectEnd = async (status: string, reason: string) => {
      const at = expect.stringMatching(ISO_TIME);
      const ended = { call_id, user_id: colleague.id, status, reason, at };
      expect(await agent.socket.waitFor('transfer_ended')).toEqual(ended);
    };

    it('tell the agent of the call that they were declined', async () => {
      await colleague.socket.send('decline_offer', { offer_id: offer.id });
      await expectEnd('declined', 'declined');
    });

    it('tell the agent of the call that they have expired', async () => {
      test.clock.advance(department.offer_timeout + 1);
      await expectEnd('expired', 'expired');
      // Unlike a missed call from the queue, which the agent was available for.
      expect(await stateOf(colleague)).toEqual({ state: 'available', reason: null });
    });

    it('tell the agent who has transferred the call to a department instead', async () => {
      await transfer(agent, call_id, { department_id: (await tenant.department()).id });
      await expectEnd('withdrawn', 'reassigned');
      expect(await colleague.socket.waitFor('offer_ended')).toMatchObject({ reason: 'reassigned' });
    });
  });
});
