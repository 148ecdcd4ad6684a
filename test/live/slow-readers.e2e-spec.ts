import { SocketServer } from '../../src/live/socket-server';
import { rooms } from '../../src/live/rooms';
import { type Member, TestTenant } from '../support/builders';
import { closingSockets } from '../support/sockets/connect-sockets';
import { PollingConnection } from '../support/sockets/polling-connection';
import type { TestSocket } from '../support/sockets/socket';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

const SIGNAL_BYTES = 60_000;
const SIGNAL = { description: { type: 'offer', sdp: 'x'.repeat(SIGNAL_BYTES) } };

describe('a client that reads nothing', () => {
  let test: TestApp;
  let agent: Member;
  let customer: TestSocket;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await sharedTestApp();
  });

  beforeEach(async () => {
    const tenant = await TestTenant.register(test);
    const { department, link } = await tenant.queue();
    agent = await tenant.member('attendant', [department.id]);
    const { call_id, websocket_token } = await tenant.join(link);
    customer = await connect(websocket_token);
    await agent.api.post(`/api/v1/calls/${call_id}/assign`);
  });

  afterAll(() => test.close());

  const agentSockets = () => test.get(SocketServer).localSocketsIn(rooms.user(agent.id)).length;

  const waitUntilOpen = () => until(() => agentSockets() === 1);

  /** Sends signals to the agent, until no socket of theirs is open. @returns the bytes that were sent */
  async function sendUntilClosed(): Promise<number> {
    let bytes = 0;
    await until(async () => {
      const { ok } = await customer.send('signal', SIGNAL);
      if (ok) bytes += SIGNAL_BYTES;
      return agentSockets() === 0;
    });
    return bytes;
  }

  it('is disconnected when 2 MiB wait for its next request of long-polling', async () => {
    await PollingConnection.connect(test.url, agent.token);
    await waitUntilOpen();
    const bytes = await sendUntilClosed();
    expect(bytes).toBeGreaterThan(2 * 1024 * 1024);
    expect(bytes).toBeLessThan(3 * 1024 * 1024);
  });

  it('is disconnected when its WebSocket has taken no more data for 2 MiB', async () => {
    const staff = await connect(agent.token);
    await staff.send('snapshot');
    const [socket] = test.get(SocketServer).localSocketsIn(rooms.user(agent.id));
    const reason = new Promise((resolve) => socket?.once('disconnect', resolve));
    const { transport } = staff.io.io.engine as unknown as { transport: { ws: { pause(): void } } };
    transport.ws.pause();
    expect(await sendUntilClosed()).toBeGreaterThan(2 * 1024 * 1024);
    // Not `ping timeout`, which ends the connection of any client that does not read.
    expect(await reason).toBe('forced close');
  });

  it('stays connected while it reads', async () => {
    const staff = await connect(agent.token);
    await staff.send('snapshot');
    for (let bytes = 0; bytes < 4 * 1024 * 1024; bytes += SIGNAL_BYTES) await customer.send('signal', SIGNAL);
    expect(await staff.send('snapshot')).toMatchObject({ ok: true });
  });
});
