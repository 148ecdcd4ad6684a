import { type Member, TestTenant } from '../support/builders';
import type { Json } from '../support/http/api';
import { TestSocket } from '../support/sockets/socket';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { DELIVERED } from '../support/sockets/signals';

/** The main use case from end to end, with two separate clients on real sockets. */
describe('a call from the link to the rating', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let agent: Member;
  let department: Json;
  let link: Json;

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    ({ department, link } = await tenant.queue());
    agent = await tenant.member('attendant', [department.id]);
  });

  afterAll(() => test.close());

  it('is queued, assigned, started, interrupted, resumed, completed and rated', async () => {
    const ahead = await tenant.join(link);
    const entry = await tenant.join(link, {
      name: 'João Lima',
      email: 'joao@example.com',
      reason: 'My card',
    });
    expect(entry).toMatchObject({ status: 'queued', position: 2 });

    const customer = await TestSocket.connect(test.url, entry.websocket_token);
    expect(customer.received[0]?.event).toBe('snapshot');
    expect(customer.received[0]?.payload).toMatchObject({
      call_id: entry.call_id,
      status: 'queued',
      position: 2,
    });
    const staff = await TestSocket.connect(test.url, agent.token);
    expect(staff.received[0]?.payload).toMatchObject({ presence: 'online', active_calls: [] });
    expect(await staff.send('watch_department', { department_id: department.id })).toEqual({ ok: true });

    // The queue moves when the customer ahead leaves.
    await test.api.post(`/api/v1/call/cancel/${ahead.call_id}`, undefined, { token: ahead.websocket_token });
    await customer.waitFor('queue_position', (update) => update.position === 1 && update.queue_size === 1);
    await staff.waitFor(
      'queue_updated',
      (queue) => queue.size === 1 && queue.calls?.[0].customer_name === 'João Lima',
    );

    const assigned = await agent.api.post(`/api/v1/calls/${entry.call_id}/assign`);
    expect(assigned.body.data).toEqual({
      id: entry.call_id,
      status: 'assigned',
      user_id: agent.id,
      user_name: agent.name,
    });
    const assignment = await customer.waitFor('call_assigned');
    expect(assignment).toMatchObject({ call_id: entry.call_id, agent: { name: agent.name }, version: 2 });

    const joined = await staff.send('join_call', { call_id: entry.call_id });
    expect(joined).toMatchObject({ ok: true, data: { call: { id: entry.call_id, status: 'assigned' } } });
    expect(joined.data.ice_servers[0].urls[0]).toMatch(/^turn:/);
    expect(joined.data.ice_servers[0].username).toMatch(new RegExp(`^\\d+:${agent.id}$`));

    // Signals are relayed unchanged, and only to the other side.
    const sdp = 'v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\n';
    expect(await staff.send('signal', { description: { type: 'offer', sdp } })).toEqual(DELIVERED);
    expect(await customer.waitFor('signal')).toMatchObject({
      from: 'agent',
      description: { type: 'offer', sdp },
    });
    await customer.send('signal', { candidate: { candidate: 'candidate:1', sdpMid: '0' } });
    expect(await staff.waitFor('signal')).toMatchObject({ from: 'customer', candidate: { sdpMid: '0' } });
    expect(staff.all('signal')).toHaveLength(1);

    const started = await agent.api.post(`/api/v1/calls/${entry.call_id}/start`);
    expect(started.body.data).toMatchObject({ id: entry.call_id, status: 'active' });
    expect(await customer.waitFor('call_started')).toMatchObject({
      started_at: started.body.data.started_at,
      version: 3,
    });
    await staff.waitFor('presence_changed', (change) => change.presence === 'busy');

    // The customer's connection breaks.
    customer.close();
    const disconnection = await staff.waitFor('peer_disconnected');
    expect(disconnection).toMatchObject({ participant: 'customer', grace_seconds: 60, version: 4 });
    expect(
      new Date(disconnection.deadline).getTime() - new Date(disconnection.disconnected_at).getTime(),
    ).toBe(60_000);

    const resumed = await test.api.post('/api/v1/call/resume', { websocket_token: entry.websocket_token });
    expect(resumed.body.data).toMatchObject({ call_id: entry.call_id, status: 'active', position: 0 });
    const reconnected = await TestSocket.connect(test.url, resumed.body.data.websocket_token);
    expect(await staff.waitFor('peer_reconnected')).toMatchObject({ participant: 'customer', version: 5 });
    await reconnected.waitFor('peer_reconnected');

    const completed = await agent.api.post(`/api/v1/calls/${entry.call_id}/complete`, {
      notes: 'New card sent',
    });
    expect(completed.body.data).toMatchObject({ id: entry.call_id, status: 'completed' });
    expect(await reconnected.waitFor('call_ended')).toMatchObject({
      status: 'completed',
      end_reason: 'normal',
    });

    const rated = await test.api.post(`/api/v1/call/evaluate/${entry.call_id}`, {
      rating: 5,
      comment: 'Quick',
    });
    expect(rated.status).toBe(200);
    const details = await tenant.owner.api.get(`/api/v1/calls/${entry.call_id}`);
    expect(details.body.data).toMatchObject({
      status: 'completed',
      end_reason: 'normal',
      rating: 5,
      rating_comment: 'Quick',
      notes: 'New card sent',
      reason: 'My card',
      user_id: agent.id,
      department_name: department.name,
    });
    expect(details.body.data.disconnected_at).toBe(disconnection.disconnected_at);
    expect(details.body.data.reconnected_at).not.toBeNull();
    reconnected.close();
    staff.close();
  });
});
