import { InvalidOffers } from '../../src/routing/dispatch/invalid-offers';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { partsOf } from '../support/contexts/line';
import {
  acceptTransfer,
  activeCall,
  offersOf,
  requestTransfer,
  transfer,
} from '../support/contexts/transfers';
import { callRow, eventsOf } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let colleague: Member;
let department: Json;
let link: Json;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  ({ department, link } = await tenant.queue({ offer_timeout: 35 }));
});

beforeEach(async () => {
  agent = await tenant.member();
  // A member of no department.
  colleague = await tenant.member();
});

afterAll(() => test.close());

const codeOf = async (member: Member, id: string, userId: string): Promise<string> => {
  const { status, body } = await requestTransfer(member, id, { user_id: userId });
  expect(status).toBe(422);
  return body.errors.code;
};

describe('a transfer to an agent', () => {
  it('is an offer to them, while the call stays with its agent', async () => {
    await connect(colleague.token);
    const { call_id } = await activeCall(tenant, link, agent);
    const before = await callRow(test, call_id);
    const data = await transfer(agent, call_id, { user_id: colleague.id, note: 'Wants an invoice' });
    const [offer] = await offersOf(test, call_id);
    expect(data).toEqual({
      id: call_id,
      status: 'active',
      department_id: department.id,
      user_id: agent.id,
      offer: { id: offer.id, user_id: colleague.id, expires_at: offer.expires_at.toISOString() },
    });
    expect(offer).toMatchObject({
      tenant_id: tenant.id,
      department_id: department.id,
      user_id: colleague.id,
      kind: 'transfer',
      offered_by: agent.id,
      note: 'Wants an invoice',
      status: 'pending',
    });
    expect(offer.expires_at - offer.offered_at).toBe(35_000);
    expect(await callRow(test, call_id)).toEqual(before);
    expect((await eventsOf(test, call_id)).at(-1)).toBe('call.offered');
  });

  it('stands in the details of the call until it has ended', async () => {
    const socket = await connect(colleague.token);
    const { call_id } = await activeCall(tenant, link, agent);
    const details = async () => (await agent.api.get(`/api/v1/calls/${call_id}`)).body.data;
    expect((await details()).transfer_offer).toBeNull();
    const { offer } = await transfer(agent, call_id, { user_id: colleague.id });
    expect((await details()).transfer_offer).toEqual(offer);
    await socket.send('decline_offer', { offer_id: offer.id });
    expect((await details()).transfer_offer).toBeNull();
  });

  it('makes the call theirs when they accept it', async () => {
    const { call_id, websocket_token } = await activeCall(tenant, link, agent);
    await connect(websocket_token);
    const [staff] = [await connect(agent.token), await connect(colleague.token)];
    await staff.send('join_call', { call_id });
    const { started_at, wait_time, version } = await callRow(test, call_id);
    await transfer(agent, call_id, { user_id: colleague.id });
    await acceptTransfer(test, tenant, call_id);
    const row = await callRow(test, call_id);
    expect(row).toMatchObject({
      status: 'active',
      version: version + 1,
      user_id: colleague.id,
      user_name: colleague.name,
      agent_connected_at: expect.any(Date),
      agent_grace_deadline: null,
      started_at,
      wait_time,
      transferred_from_department_id: department.id,
      transferred_from_user_id: agent.id,
    });
    expect(await partsOf(test, call_id)).toEqual([
      expect.objectContaining({ user_id: agent.id, ended_by: 'transferred', ended_at: row.transferred_at }),
      expect.objectContaining({ user_id: colleague.id, ended_by: null, started_at: row.transferred_at }),
    ]);
    const { rows } = await test.db.query(
      'SELECT user_id FROM connections WHERE call_id = $1 AND user_id IS NOT NULL',
      [call_id],
    );
    expect(rows).toEqual([]);
    expectStatus(await colleague.api.post(`/api/v1/calls/${call_id}/complete`), 200);
  });

  it('starts no grace period when the former agent disconnects, but one when the new agent does', async () => {
    const { call_id } = await activeCall(tenant, link, agent);
    const [former, current] = [await connect(agent.token), await connect(colleague.token)];
    await transfer(agent, call_id, { user_id: colleague.id });
    await acceptTransfer(test, tenant, call_id);
    former.close();
    const owner = await connect(tenant.owner.token);
    current.close();
    await owner.waitFor('call_updated', (call) => call.call_id === call_id);
    const row = await callRow(test, call_id);
    expect(row.agent_grace_deadline).not.toBeNull();
    const events = await eventsOf(test, call_id);
    expect(events.filter((type) => type === 'call.peer_disconnected')).toHaveLength(1);
    expect(events.at(-1)).toBe('call.peer_disconnected');
  });

  it('is refused while they are not available', async () => {
    const { call_id } = await activeCall(tenant, link, agent);
    expect(await codeOf(agent, call_id, colleague.id)).toBe('agent_not_available');
    const socket = await connect(colleague.token);
    await socket.send('set_presence', { presence: 'away' });
    expect(await codeOf(agent, call_id, colleague.id)).toBe('agent_not_available');
    await socket.send('set_presence', { presence: 'online' });
    const other = await activeCall(tenant, link, colleague);
    expect(await codeOf(agent, call_id, colleague.id)).toBe('agent_not_available');
    expectStatus(await colleague.api.post(`/api/v1/calls/${other.call_id}/complete`), 200);
    const third = await activeCall(tenant, link, await tenant.member());
    await transfer(tenant.owner, third.call_id, { user_id: colleague.id });
    expect(await codeOf(agent, call_id, colleague.id)).toBe('agent_not_available');
    expect(await offersOf(test, call_id)).toEqual([]);
  });

  it('is refused to the agent who has the call, and while it is offered to another one', async () => {
    const [, third] = [await connect(colleague.token), await tenant.member()];
    await connect(third.token);
    const { call_id } = await activeCall(tenant, link, agent);
    expect(await codeOf(agent, call_id, agent.id)).toBe('same_agent');
    await transfer(agent, call_id, { user_id: colleague.id });
    expect(await codeOf(agent, call_id, third.id)).toBe('transfer_pending');
    expect(await offersOf(test, call_id)).toHaveLength(1);
  });

  it('is refused to users who are unknown, inactive or of another company', async () => {
    const { call_id } = await activeCall(tenant, link, agent);
    const inactive = await tenant.member();
    expectStatus(await tenant.owner.api.put(`/api/v1/users/${inactive.id}`, { active: false }), 200);
    for (const user_id of [someId(), inactive.id, (await TestTenant.register(test)).owner.id]) {
      const { status, body } = await requestTransfer(agent, call_id, { user_id });
      expect(status).toBe(422);
      expect(body.errors.fields).toEqual({ user_id: ['is not an active user of this tenant'] });
    }
  });

  it("is refused for another agent's call and for one that is not active", async () => {
    await connect(colleague.token);
    const active = await activeCall(tenant, link, agent);
    const other = await tenant.member();
    expect(await codeOf(other, active.call_id, colleague.id)).toBe('invalid_transition');
    const waiting = await tenant.join(link);
    expect(await codeOf(agent, waiting.call_id, colleague.id)).toBe('invalid_transition');
    await transfer(await tenant.member('supervisor'), active.call_id, { user_id: colleague.id });
  });

  it('cannot be accepted after the end of the call', async () => {
    await connect(colleague.token);
    const { call_id } = await activeCall(tenant, link, agent);
    await transfer(agent, call_id, { user_id: colleague.id });
    // The sweep would withdraw the offer.
    const sweep = jest.spyOn(test.get(InvalidOffers), 'withdrawAll').mockResolvedValue();
    // Without its effects on offers, as by an instance of the previous release.
    await test.db.query(
      `UPDATE calls SET status = 'completed', end_reason = 'normal', ended_at = $2, completed_at = $2 WHERE id = $1`,
      [call_id, test.clock.now()],
    );
    await expect(acceptTransfer(test, tenant, call_id)).rejects.toMatchObject({ code: 'invalid_transition' });
    expect((await offersOf(test, call_id))[0]).toMatchObject({ status: 'pending' });
    sweep.mockRestore();
  });
});
