import { TestTenant } from '../support/builders';
import { automaticQueue, availableAgent, type ConnectedAgent } from '../support/contexts/offers';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';

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

beforeEach(async () => {
  ({ department, link } = await automaticQueue(tenant));
  agent = await availableAgent(tenant, connect, [department.id]);
});

afterEach(() => test.clock.reset());

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

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

  it('reach the agent who transfers a call', async () => {
    await tenant.join(link);
    const { offer, call } = await agent.socket.waitFor('offer');
    await agent.socket.send('accept_offer', { offer_id: offer.id });
    const colleague = await availableAgent(tenant, connect, []);
    await agent.api.post(`/api/v1/calls/${call.id}/transfer`, { user_id: colleague.id, note: 'Refund' });
    const transfer = await colleague.socket.waitFor('offer');
    expect(transfer.offer).toMatchObject({ kind: 'transfer', note: 'Refund', offered_by: agent.id });
    await colleague.socket.send('decline_offer', { offer_id: transfer.offer.id });
    expect(await agent.socket.waitFor('transfer_ended')).toEqual({
      call_id: call.id,
      user_id: colleague.id,
      status: 'declined',
      reason: 'declined',
      at: expect.stringMatching(ISO_TIME),
    });
  });
});
