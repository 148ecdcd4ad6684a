import { Snapshots } from '../../src/live/snapshots/snapshots';
import { SocketReconciler } from '../../src/live/socket-reconciler';
import { SocketServer } from '../../src/live/socket-server';
import type { LiveSocket } from '../../src/live/socket.types';
import { Database } from '../../src/platform/database/database';
import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { callRow } from '../support/database/rows';
import { closingSockets } from '../support/sockets/connect-sockets';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

describe('connecting to the socket', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;
  let agent: Member;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    ({ department, link } = await tenant.queue({ max_queue_size: 100 }));
    agent = await tenant.member('attendant', [department.id]);
  });

  afterAll(() => test.close());

  it('sends a customer the state of their call before anything else', async () => {
    const { call_id, websocket_token } = await tenant.join(link, { email: 'clara@example.com' });
    const queued = await connect(websocket_token);
    const polled = await test.api.get(`/api/v1/call/status/${call_id}`);
    const { position, estimated_wait_time } = polled.body.data;
    expect(queued.received[0]).toEqual({
      event: 'snapshot',
      payload: {
        call_id,
        status: 'queued',
        end_reason: null,
        department_name: expect.any(String),
        callback_enabled: false,
        position,
        estimated_wait_time,
        estimated_wait_range: null,
        has_estimate: false,
        ringing: false,
        agent: null,
        started_at: null,
        disconnected_at: null,
        grace_deadline: null,
        callback: null,
        callback_email: 'clara@example.com',
        chat_message_count: 0,
        chat_messages: [],
        recording_state: { recording: 'off', consent: null },
        holder_session: null,
        version: 1,
        at: expect.any(String),
      },
    });
    expect(await queued.waitFor('queue_position')).toMatchObject({
      call_id,
      position,
      estimated_wait_time,
      estimated_wait_range: null,
      has_estimate: false,
      ringing: false,
      version: 1,
    });

    const started = await agent.api.post(`/api/v1/calls/${call_id}/start`);
    const active = await connect(websocket_token);
    expect(active.received[0]?.payload).toMatchObject({
      status: 'active',
      position: 0,
      estimated_wait_time: 0,
      estimated_wait_range: null,
      has_estimate: false,
      ringing: false,
      agent: { name: agent.name, avatar_url: null },
      started_at: started.body.data.started_at,
      version: 3,
    });
    expect(active.all('queue_position')).toEqual([]);
  });

  it('sends staff no event before the snapshot, even if their rooms are corrected meanwhile', async () => {
    const queue = await tenant.queue();
    const member = await tenant.member('attendant', [queue.department.id]);
    const watcher = await connect(tenant.owner.token);
    const snapshots = test.get(Snapshots);
    const read = snapshots.of.bind(snapshots);
    const [isReading, isReleased] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const spy = jest.spyOn(snapshots, 'of').mockImplementation(async (socket) => {
      if (socket.data.kind === 'staff' && socket.data.user.user_id === member.id) {
        isReading.resolve();
        await isReleased.promise;
      }
      return read(socket);
    });
    const connecting = connect(member.token);
    await isReading.promise;
    await test.get(SocketReconciler).reconcile();
    await tenant.join(queue.link);
    await watcher.waitFor('queue_updated', ({ department_id, size }) => {
      return department_id === queue.department.id && size === 1;
    });
    isReleased.resolve();
    const socket = await connecting;
    spy.mockRestore();
    expect(socket.received[0]).toMatchObject({ event: 'snapshot', payload: { queues: [{ size: 1 }] } });
  });

  it('sends staff their presence, their calls and the queues that they watch', async () => {
    const queue = await tenant.queue();
    const member = await tenant.member('attendant', [queue.department.id]);
    const [ownCall, queuedCall] = [await tenant.join(queue.link), await tenant.join(queue.link)];
    await member.api.post(`/api/v1/calls/${ownCall.call_id}/assign`);
    const socket = await connect(member.token);
    expect(socket.received[0]).toEqual({
      event: 'snapshot',
      payload: {
        at: expect.any(String),
        presence: 'online',
        has_chosen_state: false,
        pause_reasons: [],
        agents: [expect.objectContaining({ user_id: member.id, state: 'on_call', call_id: ownCall.call_id })],
        offers: [],
        active_calls: [
          expect.objectContaining({ id: ownCall.call_id, status: 'assigned', user_id: member.id }),
        ],
        queues: [
          {
            department_id: queue.department.id,
            department_name: queue.department.name,
            size: 1,
            longest_wait: expect.any(Number),
            open: true,
            opens_at: null,
            closes_at: null,
            calls: [expect.objectContaining({ id: queuedCall.call_id, status: 'queued' })],
          },
        ],
      },
    });
    const supervisor = await connect((await tenant.member('supervisor')).token);
    const watched = supervisor.received[0]?.payload.queues.map(
      (watchedQueue: Json) => watchedQueue.department_id,
    );
    expect(watched).toEqual(expect.arrayContaining([department.id, queue.department.id]));
    expect(await supervisor.send('snapshot')).toMatchObject({ ok: true, data: { presence: 'away' } });
  });

  it('sends staff every event after their snapshot, even if reading their memberships takes long', async () => {
    const { call_id } = await tenant.join(link);
    await agent.api.post(`/api/v1/calls/${call_id}/start`);
    await agent.api.post(`/api/v1/calls/${call_id}/complete`);
    const supervisor = await tenant.member('supervisor');
    const database = test.get(Database);
    const { promise: isSlow, resolve: becomeFast } = Promise.withResolvers<void>();
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    const read = database.readSystem.bind(database);
    const slowRead = jest.spyOn(database, 'readSystem').mockImplementation(async (statements) => {
      if (statements.some(({ text }) => text.includes('department_members'))) {
        begin();
        await isSlow;
      }
      return read(statements) as never;
    });
    try {
      const tab = await connect(supervisor.token);
      await hasBegun;
      await test.api.post(`/api/v1/call/evaluate/${call_id}`, { rating: 5 });
      becomeFast();
      expect(await tab.waitFor('call_updated')).toMatchObject({ call_id, rating: 5 });
    } finally {
      becomeFast();
      slowRead.mockRestore();
    }
  });

  it('works over long-polling, too', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const socket = await connect(websocket_token, { transports: ['polling'] });
    expect(await socket.send('snapshot')).toMatchObject({ ok: true, data: { call_id } });
  });

  it('accepts no events of a customer 15 minutes after the end of their call', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const socket = await connect(websocket_token);
    await test.api.post(`/api/v1/call/cancel/${call_id}`, undefined, { token: websocket_token });
    await socket.waitFor('call_ended');
    const reconnected = await connect(websocket_token);
    const end = (await callRow(test, call_id)).ended_at.getTime() + 15 * 60_000;
    for (const open of [socket, reconnected]) {
      expect(await open.send('snapshot')).toMatchObject({ ok: true });
      const served = test
        .get(SocketServer)
        .localSockets()
        .find(({ id }) => id === open.io.id) as LiveSocket;
      expect(served.data.expires_at).toBe(end);
      // A socket expires by the real time, which the test cannot advance.
      served.data.expires_at = Date.now();
      expect((await open.send('snapshot')).error?.code).toBe('token_expired');
    }
  });
});
