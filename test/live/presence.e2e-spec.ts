import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import type { TestSocket } from '../support/sockets/socket';
import { closingSockets } from '../support/sockets/connect-sockets';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

const presenceOf = async (socket: TestSocket) => (await socket.send('snapshot')).data.presence;

describe('presence', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;
  let agent: Member;
  let colleague: TestSocket;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
  });

  beforeEach(async () => {
    ({ department, link } = await tenant.queue());
    agent = await tenant.member('attendant', [department.id]);
    colleague = await connect((await tenant.member('attendant', [department.id])).token);
  });

  afterAll(() => test.close());

  /** Returns the presences of the agent that the socket has received, in order. */
  const receivedPresences = (socket = colleague) =>
    socket
      .all('presence_changed')
      .filter((change) => change.user_id === agent.id)
      .map((change) => change.presence);

  const waitForPresences = (...presences: string[]) =>
    until(
      () =>
        receivedPresences().length >= presences.length &&
        (expect(receivedPresences()).toEqual(presences), true),
      () => `received ${receivedPresences().join(', ')} instead of ${presences.join(', ')}`,
    );

  /** Returns the number of online agents without the colleague, who is always online. */
  const othersOnline = async () => {
    const response = await test.api.get(`/api/v1/call/${link.token}/validate`);
    return response.body.data.online_agents - 1;
  };

  const countConnections = async (member: Member) => {
    const { rows } = await test.db.query('SELECT FROM connections WHERE user_id = $1', [member.id]);
    return rows.length;
  };

  it('is online with a socket, away by choice, offline without a socket', async () => {
    expect(await othersOnline()).toBe(0);
    const socket = await connect(agent.token);
    await waitForPresences('online');
    expect(await othersOnline()).toBe(1);
    expect(await socket.send('set_presence', { presence: 'away' })).toEqual({ ok: true });
    await waitForPresences('online', 'away');
    expect(await presenceOf(socket)).toBe('away');
    expect(await othersOnline()).toBe(0);
    await socket.send('set_presence', { presence: 'online' });
    await waitForPresences('online', 'away', 'online');
    socket.close();
    await waitForPresences('online', 'away', 'online', 'offline');
    expect(await othersOnline()).toBe(0);
    const expected = {
      user_id: agent.id,
      presence: 'offline',
      state: 'offline',
      reason: null,
      since: expect.stringMatching(/Z$/),
      at: expect.stringMatching(/Z$/),
    };
    expect(colleague.all('presence_changed').at(-1)).toEqual(expected);
  });

  it('is busy during an active call and returns to the previous presence after it', async () => {
    const socket = await connect(agent.token);
    await socket.send('set_presence', { presence: 'away' });
    const [one, other] = [await tenant.join(link), await tenant.join(link)];
    await agent.api.post(`/api/v1/calls/${one.call_id}/assign`);
    await agent.api.post(`/api/v1/calls/${one.call_id}/start`);
    // The assigned call is a new state, but the agent is not busy before it starts.
    await waitForPresences('online', 'away', 'away', 'busy');
    expect(await othersOnline()).toBe(1);
    await agent.api.post(`/api/v1/calls/${other.call_id}/start`);
    await agent.api.post(`/api/v1/calls/${one.call_id}/complete`);
    expect(await presenceOf(socket)).toBe('busy');
    await agent.api.post(`/api/v1/calls/${other.call_id}/complete`);
    await waitForPresences('online', 'away', 'away', 'busy', 'away');
    expect(await presenceOf(socket)).toBe('away');
  });

  it('does not change when one of two tabs is closed', async () => {
    const [one, other] = [await connect(agent.token), await connect(agent.token)];
    await waitForPresences('online');
    one.close();
    await until(async () => (await countConnections(agent)) === 1);
    expect(await presenceOf(other)).toBe('online');
    expect(await othersOnline()).toBe(1);
    other.close();
    await waitForPresences('online', 'offline');
  });

  it('keeps the chosen value across reconnections', async () => {
    const before = await connect(agent.token);
    await before.send('set_presence', { presence: 'away' });
    before.close();
    await waitForPresences('online', 'away', 'offline');
    const after = await connect(agent.token);
    expect(after.received[0]?.payload.presence).toBe('away');
    await waitForPresences('online', 'away', 'offline', 'away');
    expect(await othersOnline()).toBe(0);
  });

  it('is not sent when the same value is chosen again', async () => {
    const socket = await connect(agent.token);
    for (let attempt = 0; attempt < 3; attempt++) await socket.send('set_presence', { presence: 'online' });
    await socket.send('set_presence', { presence: 'away' });
    await waitForPresences('online', 'away');
  });

  it("is sent only to colleagues of the departments, supervisors and the user's own tabs", async () => {
    const otherDepartmentAgent = await tenant.member('attendant', [(await tenant.department()).id]);
    const other = await TestTenant.register(test);
    const { websocket_token } = await tenant.join(link);
    const supervisor = await connect((await tenant.member('supervisor')).token);
    const outsiders = [
      await connect(otherDepartmentAgent.token),
      await connect(other.owner.token),
      await connect(websocket_token),
    ];
    const tabs = [await connect(agent.token), await connect(agent.token)];
    await tabs[0]?.send('set_presence', { presence: 'away' });
    for (const socket of [supervisor, ...tabs]) {
      const payload = await socket.waitFor('presence_changed', (change) => change.presence === 'away');
      expect(payload.user_id).toBe(agent.id);
    }
    for (const outsider of outsiders) {
      await outsider.send('snapshot');
      expect(receivedPresences(outsider)).toEqual([]);
    }
  });

  it('counts only active members of the department as online agents', async () => {
    await connect(tenant.owner.token);
    expect(await othersOnline()).toBe(0);
    await connect(agent.token);
    await until(async () => (await othersOnline()) === 1);
    await tenant.owner.api.put(`/api/v1/users/${agent.id}`, { active: false });
    expect(await othersOnline()).toBe(0);
  });
});
