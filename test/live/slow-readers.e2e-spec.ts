import { SocketServer } from '../../src/live/socket-server';
import { rooms } from '../../src/live/rooms';
import { type Member, TestTenant } from '../support/builders';
import { oneTo } from '../support/database/rows';
import { closingSockets } from '../support/sockets/connect-sockets';
import { TcpProxy } from '../support/peers/tcp-proxy';
import { PollingConnection } from '../support/sockets/polling-connection';
import { TestSocket } from '../support/sockets/socket';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

const SIGNAL_BYTES = 60_000;
const SIGNAL = { description: { type: 'offer', sdp: 'x'.repeat(SIGNAL_BYTES) } };

describe('a client that reads nothing', () => {
  let test: TestApp;
  let agent: Member;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await sharedTestApp();
  });

  beforeEach(async () => {
    const tenant = await TestTenant.register(test);
    agent = await tenant.member();
  });

  afterAll(() => test.close());

  const agentSockets = () => test.get(SocketServer).localSocketsIn(rooms.user(agent.id)).length;

  const waitUntilOpen = () => until(() => agentSockets() === 1);

  /** Sends a signal to the agent's sockets, as it is relayed. Customers could not send so many of this length at once. */
  const sendSignal = () => test.get(SocketServer).emitTo(rooms.user(agent.id), 'signal', SIGNAL);

  /** Sends signals to the agent, `count` at a time, until no socket of theirs is open. @returns the bytes that were sent */
  async function sendUntilClosed(count = 1): Promise<number> {
    let bytes = 0;
    await until(() => {
      for (const _ of oneTo(count)) sendSignal();
      bytes += count * SIGNAL_BYTES;
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
    const proxy = await TcpProxy.start(Number(new URL(test.url).port));
    const staff = await TestSocket.connect(`http://127.0.0.1:${proxy.port}`, agent.token);
    await staff.send('snapshot');
    const [socket] = test.get(SocketServer).localSocketsIn(rooms.user(agent.id));
    const reason = new Promise((resolve) => socket?.once('disconnect', resolve));
    proxy.freeze();
    // The buffers of the system take much more first, which must not last until the ping timeout.
    expect(await sendUntilClosed(10)).toBeGreaterThan(2 * 1024 * 1024);
    // Not `ping timeout`, which ends the connection of any client that does not read.
    expect(await reason).toBe('forced close');
    staff.close();
    await proxy.stop();
  });

  it('stays connected while it reads', async () => {
    const staff = await connect(agent.token);
    await staff.send('snapshot');
    for (let bytes = 0; bytes < 4 * 1024 * 1024; bytes += SIGNAL_BYTES) {
      const received = new Promise((resolve) => staff.io.once('signal', resolve));
      sendSignal();
      await received;
    }
    expect(await staff.send('snapshot')).toMatchObject({ ok: true });
  });
});
