import { expectStatus, type Member, TestTenant } from '../support/builders';
import { acceptTransfer, activeCall, SDP_OFFER, transfer } from '../support/contexts/transfers';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestSocket } from '../support/sockets/socket';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';
import { DELIVERED } from '../support/sockets/signals';

let test: TestApp;
let tenant: TestTenant;
let department: Json;
let link: Json;
let target: Json;
let agent: Member;
let successor: Member;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});

beforeEach(async () => {
  ({ department, link } = await tenant.queue());
  target = await tenant.department();
  agent = await tenant.member('attendant', [department.id]);
  successor = await tenant.member('attendant', [target.id]);
});

afterAll(() => test.close());

const start = async (id: string, { api }: Member) =>
  expectStatus(await api.post(`/api/v1/calls/${id}/start`), 200);

/** An active call whose participants have exchanged signals, so that the service has its state in memory. */
async function connectedCall() {
  const { call_id, websocket_token } = await activeCall(tenant, link, agent);
  const [customer, former] = [await connect(websocket_token), await connect(agent.token)];
  expect(await former.send('join_call', { call_id })).toMatchObject({ ok: true });
  expect(await former.send('signal', { call_id, ...SDP_OFFER })).toEqual(DELIVERED);
  expect(await customer.send('signal', SDP_OFFER)).toEqual(DELIVERED);
  await Promise.all([customer.waitFor('signal'), former.waitFor('signal')]);
  return { call_id, customer, former };
}

async function takeOver(call_id: string): Promise<void> {
  await transfer(agent, call_id, { user_id: successor.id });
  await acceptTransfer(test, tenant, call_id);
}

const signal = (socket: TestSocket, call_id: string) => socket.send('signal', { call_id, ...SDP_OFFER });

describe('when a call is transferred to a department', () => {
  it('its customer receives call_transferred with the place there, and positions', async () => {
    const { call_id, customer } = await connectedCall();
    await transfer(agent, call_id, { department_id: target.id });
    expect(await customer.waitFor('call_transferred')).toEqual({
      call_id,
      at: expect.any(String),
      version: 4,
      department_name: target.name,
      position: 1,
      estimated_wait_time: expect.any(Number),
      estimated_wait_range: null,
      has_estimate: false,
      ringing: false,
    });
    await customer.waitFor('queue_position', ({ position, version }) => position === 1 && version === 4);
    expect(await customer.send('snapshot')).toMatchObject({
      ok: true,
      data: { status: 'queued', position: 1, agent: null, version: 4, started_at: expect.any(String) },
    });
  });

  it('staff of both departments and its former agent receive the waiting call', async () => {
    const { call_id, former } = await connectedCall();
    const [colleague, receiver, supervisor] = [
      await connect((await tenant.member('attendant', [department.id])).token),
      await connect(successor.token),
      await connect(tenant.owner.token),
    ];
    await receiver.send('watch_department', { department_id: target.id });
    await transfer(agent, call_id, { department_id: target.id });
    for (const socket of [former, colleague, receiver, supervisor]) {
      const update = await socket.waitFor('call_updated', ({ version }) => version === 4);
      expect(update).toMatchObject({ call_id, status: 'queued', department_id: target.id, user_id: null });
    }
    await receiver.waitFor('queue_updated', ({ calls }) => calls?.[0]?.id === call_id);
    expect(await former.send('snapshot')).toMatchObject({ ok: true, data: { active_calls: [] } });
  });

  it('no signal is relayed until the next agent has it, and then none of the former agent', async () => {
    const { call_id, customer, former } = await connectedCall();
    const next = await connect(successor.token);
    await transfer(agent, call_id, { department_id: target.id });
    // The response follows the commit, so from here on nothing may reach the former agent.
    for (const socket of [customer, former]) {
      expect(await signal(socket, call_id)).toMatchObject({ ok: false, error: { code: 'invalid_state' } });
    }
    await start(call_id, successor);
    const { started_at } = (await successor.api.get(`/api/v1/calls/${call_id}`)).body.data;
    expect(await customer.waitFor('call_started')).toMatchObject({ version: 6, started_at });
    expect(await signal(former, call_id)).toMatchObject({ ok: false, error: { code: 'not_your_call' } });
    expect(await customer.send('signal', SDP_OFFER)).toEqual(DELIVERED);
    await next.waitFor('signal');
    expect(await signal(next, call_id)).toEqual(DELIVERED);
    await until(() => customer.all('signal').length === 2);
    expect(former.all('signal')).toHaveLength(1);
  });
});

describe('when another agent takes over a call', () => {
  it('its customer receives call_transferred with the agent', async () => {
    const { call_id, customer } = await connectedCall();
    await connect(successor.token);
    await takeOver(call_id);
    expect(await customer.waitFor('call_transferred')).toEqual({
      call_id,
      at: expect.any(String),
      version: 4,
      agent: { name: successor.name, avatar_url: null },
    });
    expect(await customer.send('snapshot')).toMatchObject({
      ok: true,
      data: { status: 'active', agent: { name: successor.name, avatar_url: null }, version: 4 },
    });
    expect(customer.all('queue_position')).toEqual([]);
  });

  it('both agents and the staff of the department receive the call', async () => {
    const { call_id, former } = await connectedCall();
    const [next, supervisor] = [await connect(successor.token), await connect(tenant.owner.token)];
    await takeOver(call_id);
    for (const socket of [former, next, supervisor]) {
      const update = await socket.waitFor('call_updated', ({ version }) => version === 4);
      expect(update).toMatchObject({ call_id, status: 'active', user_id: successor.id });
    }
    await former.waitFor(
      'presence_changed',
      ({ user_id, presence }) => user_id === agent.id && presence === 'online',
    );
    expect(await former.send('snapshot')).toMatchObject({ ok: true, data: { active_calls: [] } });
    expect(await next.send('snapshot')).toMatchObject({
      ok: true,
      data: { presence: 'busy', active_calls: [{ id: call_id }] },
    });
  });

  it('signals are relayed between the customer and the new agent only', async () => {
    const { call_id, customer, former } = await connectedCall();
    const next = await connect(successor.token);
    await takeOver(call_id);
    expect(await signal(former, call_id)).toMatchObject({ ok: false, error: { code: 'not_your_call' } });
    expect(await customer.send('signal', SDP_OFFER)).toEqual(DELIVERED);
    await next.waitFor('signal');
    expect(await signal(next, call_id)).toEqual(DELIVERED);
    await until(() => customer.all('signal').length === 2);
    expect(former.all('signal')).toHaveLength(1);
  });
});
