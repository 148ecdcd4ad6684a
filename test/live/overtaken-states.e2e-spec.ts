import { JoinedCalls } from '../../src/calls/chat/joined-calls';
import { Queue } from '../../src/calls/queue/queue';
import { Snapshots } from '../../src/live/snapshots/snapshots';
import { SocketServer } from '../../src/live/socket-server';
import type { LiveSocket } from '../../src/live/socket.types';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let link: { token: string };
const { connect, open } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});

beforeEach(async () => {
  const queue = await tenant.queue();
  link = queue.link as { token: string };
  agent = await tenant.member('attendant', [queue.department.id]);
});

afterEach(() => jest.restoreAllMocks());
afterAll(() => test.close());

const act = async (callId: string, action: string) =>
  expectStatus(await agent.api.post(`/api/v1/calls/${callId}/${action}`), 200);

async function activeCall(): Promise<string> {
  const { call_id } = await tenant.join(link);
  await act(call_id, 'start');
  return call_id;
}

/** Makes these changes, one after another, each after a reading of the state and before its reader gets it. */
function overtake(reader: object, method: string, ...changes: (() => Promise<unknown>)[]): jest.SpyInstance {
  const spied = reader as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const read = spied[method]?.bind(reader);
  return jest.spyOn(spied, method).mockImplementation(async (...args) => {
    const state = await read?.(...args);
    await changes.shift()?.();
    return state;
  });
}

describe('a state that an event overtakes while it is read', () => {
  it('is read again before the agent who joins the call gets it', async () => {
    const id = await activeCall();
    const socket = await connect(agent.token);
    overtake(test.get(JoinedCalls), 'get', async () => {
      expectStatus(await agent.api.put(`/api/v1/calls/${id}`, { notes: 'New' }), 200);
      await socket.waitFor('call_updated', ({ notes }) => notes === 'New');
    });
    const { data } = await socket.send('join_call', { call_id: id });
    expect(data.call.notes).toBe('New');
  });

  it('is read again for a snapshot that the client requests', async () => {
    const id = await activeCall();
    const socket = await connect(agent.token);
    // The snapshots of the connection have been sent.
    await socket.send('snapshot');
    overtake(test.get(Snapshots), 'of', async () => {
      await act(id, 'complete');
      await socket.waitFor('call_ended');
    });
    expect((await socket.send('snapshot')).data.active_calls).toEqual([]);
  });

  it('is read again if a change comes between the readings of the call and of its position', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await connect(websocket_token);
    // The connection reads no further state.
    await customer.send('snapshot');
    const snapshots = test.get(Snapshots);
    const hasRow = Promise.withResolvers<void>();
    overtake(snapshots['customerRows'], 'run', async () => hasRow.resolve());
    const queue = test.get(Queue);
    const readPosition = queue.positionOf.bind(queue);
    jest.spyOn(queue, 'positionOf').mockImplementationOnce(async (...call) => {
      await hasRow.promise;
      await act(call_id, 'assign');
      return readPosition(...call);
    });
    const socket = test
      .get(SocketServer)
      .localSockets()
      .find(({ id }) => id === customer.io.id);
    expect(await snapshots.of(socket as LiveSocket)).toMatchObject({ status: 'assigned', position: 0 });
  });

  it('is read again for the snapshots of a new connection', async () => {
    const { call_id } = await tenant.join(link);
    const socket = open(agent.token);
    overtake(
      test.get(Snapshots),
      'of',
      // The socket is in no room yet, so that the second snapshot differs from the first one, and is sent.
      () => tenant.join(link),
      async () => {
        await act(call_id, 'start');
        await socket.waitFor('call_started');
      },
    );
    await until(() => socket.all('snapshot').length === 2);
    expect(socket.all('snapshot')[1]?.active_calls).toEqual([expect.objectContaining({ id: call_id })]);
  });

  it('is read again for the snapshot after a change of departments', async () => {
    const { call_id } = await tenant.join(link);
    const { department } = await tenant.queue();
    const socket = await connect(agent.token);
    await socket.send('snapshot');
    const before = socket.all('snapshot').length;
    overtake(test.get(Snapshots), 'of', async () => {
      await act(call_id, 'start');
      await socket.waitFor('call_started');
    });
    const added = await tenant.owner.api.post(`/api/v1/departments/${department.id}/users`, {
      user_id: agent.id,
    });
    expectStatus(added, 201);
    await until(() => socket.all('snapshot').length > before);
    const snapshot = socket.all('snapshot').at(-1);
    expect(snapshot?.queues).toHaveLength(2);
    expect(snapshot?.active_calls).toEqual([expect.objectContaining({ id: call_id })]);
  });
});
