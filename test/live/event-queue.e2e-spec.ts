import { Database } from '../../src/platform/database/database';
import { type Member, TestTenant } from '../support/builders';
import { oneTo } from '../support/database/rows';
import { waitForLockWaiters } from '../support/database/lock-waiters';
import { closingSockets } from '../support/sockets/connect-sockets';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

describe('the events of a socket', () => {
  let test: TestApp;
  let agent: Member;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await startTestApp({ env: { DATABASE_POOL_SIZE: '20' } });
    const tenant = await TestTenant.register(test);
    agent = await tenant.member();
  });

  afterAll(() => test.close());

  const waiting = async () =>
    (
      await test.db.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
    ).rowCount;

  /** Runs `work` while events that set the agent's presence wait for a lock. */
  const whilePresenceIsLocked = (work: () => Promise<void>) =>
    // On another connection than that of `test.db`: within a transaction, pg_stat_activity does not change.
    test.get(Database).system(async (tx) => {
      await tx.query('SELECT FROM presences WHERE user_id = $1 FOR UPDATE', [agent.id]);
      await work();
    });

  const isIdle = async () => {
    const { rowCount } = await test.db.query(
      `SELECT FROM connections WHERE user_id = $1
       UNION ALL
       SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`,
      [agent.id],
    );
    return rowCount === 0;
  };

  it('are handled four at a time', async () => {
    const socket = await connect(agent.token);
    await socket.send('snapshot');
    const counts: (number | null)[] = [];
    let acks: Promise<unknown>[] = [];
    await whilePresenceIsLocked(async () => {
      acks = oneTo(10).map(() => socket.send('set_presence', { presence: 'away' }));
      await waitForLockWaiters(test, 4);
      // The service answers this event at once, after it has received the others.
      await socket.send('no_such_event');
      for (const _ of oneTo(50)) counts.push(await waiting());
    });
    expect(Math.max(...counts.map(Number))).toBe(4);
    for (const ack of await Promise.all(acks)) expect(ack).toEqual({ ok: true });
  });

  it('are not handled after the socket was closed', async () => {
    const socket = await connect(agent.token);
    await socket.send('set_presence', { presence: 'online' });
    await whilePresenceIsLocked(async () => {
      for (const _ of oneTo(4)) socket.io.emit('set_presence', { presence: 'away' });
      await waitForLockWaiters(test, 4);
      for (const _ of oneTo(4)) socket.io.emit('set_presence', { presence: 'online' });
      await socket.send('no_such_event');
      socket.close();
      // The disconnect waits for the same lock.
      await waitForLockWaiters(test, 5);
    });
    await until(isIdle);
    const { rows } = await test.db.query('SELECT chosen FROM presences WHERE user_id = $1', [agent.id]);
    expect(rows).toEqual([{ chosen: 'away' }]);
  });
});
