import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { oneTo } from '../support/database/rows';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestSocket } from '../support/sockets/socket';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const CUSTOMERS = 24;

describe('sockets of many customers that connect at once', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let link: Json;
  let agent: Member;
  const { connect, open } = closingSockets(() => test.url);

  beforeAll(async () => {
    // Public requests have a fifth: sockets that connect must not wait for those that wait for a locked call.
    test = await startTestApp({ env: { DATABASE_POOL_SIZE: '50' } });
    tenant = await TestTenant.register(test);
    agent = await tenant.member();
  });

  beforeEach(async () => {
    ({ link } = await tenant.queue({ max_queue_size: 100 }));
  });

  afterAll(() => test.close());

  /** @returns the entries of customers who joined, in queue order */
  async function joinQueue(length = CUSTOMERS): Promise<Json[]> {
    const entries: Json[] = [];
    for (const _ of oneTo(length)) entries.push(await tenant.join(link));
    return entries;
  }

  const connectAll = (entries: Json[]): Promise<TestSocket[]> =>
    Promise.all(entries.map(({ websocket_token }) => connect(websocket_token)));

  async function callsOf(entries: Json[]): Promise<Json[]> {
    const { rows } = await test.db.query('SELECT * FROM calls WHERE id = ANY ($1) ORDER BY queue_number', [
      entries.map(({ call_id }) => call_id),
    ]);
    return rows;
  }

  async function leasesOf(entries: Json[]): Promise<Json[]> {
    const { rows } = await test.db.query('SELECT * FROM connections WHERE call_id = ANY ($1)', [
      entries.map(({ call_id }) => call_id),
    ]);
    return rows;
  }

  it('are recorded together, and each customer receives their own state', async () => {
    const entries = await joinQueue();
    const sockets = await connectAll(entries);
    for (const [index, socket] of sockets.entries()) {
      const expected = { call_id: entries[index]?.call_id, position: index + 1, version: 1 };
      expect(socket.received[0]).toMatchObject({ event: 'snapshot', payload: expected });
      expect(await socket.waitFor('queue_position')).toMatchObject({ ...expected, queue_size: CUSTOMERS });
      expect(socket.all('snapshot')).toHaveLength(1);
    }
    for (const call of await callsOf(entries)) {
      expect(call).toMatchObject({ absent_since: null, absence_deadline: null, version: 1 });
      expect(call.customer_connected_at).not.toBeNull();
    }
    const leases = await leasesOf(entries);
    expect(leases.map(({ socket_id }) => socket_id).sort()).toEqual(sockets.map(({ io }) => io.id).sort());
    // Rows of one transaction have the same time.
    const transactions = new Set(leases.map(({ inserted_at }) => Number(inserted_at)));
    expect(transactions.size).toBeLessThan(CUSTOMERS / 2);
  });

  it('do not wait for the one whose call is locked', async () => {
    const entries = await joinQueue(6);
    const [locked, ...others] = entries;
    await test.db.query('BEGIN');
    await test.db.query('SELECT FROM calls WHERE id = $1 FOR UPDATE', [locked?.call_id]);
    const waiting = connect(locked?.websocket_token);
    try {
      await connectAll(others);
      expect(await leasesOf([locked])).toEqual([]);
    } finally {
      await test.db.query('COMMIT');
    }
    expect((await waiting).received[0]).toMatchObject({ payload: { call_id: locked?.call_id, position: 1 } });
    expect(await leasesOf([locked])).toHaveLength(1);
  });

  it('connect without the one that cannot be recorded', async () => {
    const entries = await joinQueue(8);
    const [refused, ...others] = entries;
    await test.db.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON connections FOR EACH ROW
        WHEN (NEW.call_id = '${refused?.call_id}') EXECUTE FUNCTION refuse();`);
    let isConnected = false;
    const connecting = connect(refused?.websocket_token).then(() => (isConnected = true));
    try {
      await connectAll(others);
      expect(await leasesOf(others)).toHaveLength(others.length);
      expect(isConnected).toBe(false);
    } finally {
      await test.db.query('DROP TRIGGER refuse ON connections; DROP FUNCTION refuse()');
    }
    // The service closed the connection, and the client connects again.
    await connecting;
    expect(await leasesOf([refused])).toHaveLength(1);
  });

  it('receive the end of a call that ended before, which takes no connection', async () => {
    const entries = await joinQueue(5);
    const [ended, ...others] = entries;
    await test.api.post(`/api/v1/call/cancel/${ended?.call_id}`, undefined, {
      token: ended?.websocket_token,
    });
    const [socket] = await connectAll([ended, ...others]);
    expect(socket?.received[0]).toMatchObject({
      event: 'snapshot',
      payload: { status: 'cancelled', position: 0 },
    });
    expect(await leasesOf([ended])).toEqual([]);
    expect(await leasesOf(others)).toHaveLength(others.length);
  });

  it('are absent when they disconnect at once, and present when they return', async () => {
    const entries = await joinQueue(12);
    for (const socket of await connectAll(entries)) socket.close();
    await until(async () => (await leasesOf(entries)).length === 0);
    for (const call of await callsOf(entries)) expect(call.absent_since).not.toBeNull();
    await connectAll(entries);
    for (const call of await callsOf(entries)) expect(call).toMatchObject({ absent_since: null, version: 1 });
  });

  it('end the grace periods of their calls', async () => {
    const entries = await joinQueue(6);
    const staff = await connect(agent.token);
    const sockets = await connectAll(entries);
    for (const { call_id } of entries) await agent.api.post(`/api/v1/calls/${call_id}/start`);
    for (const socket of sockets) socket.close();
    for (const { call_id } of entries) {
      await staff.waitFor('peer_disconnected', (event) => event.call_id === call_id);
    }
    const returned = await connectAll(entries);
    for (const [index, { call_id }] of entries.entries()) {
      const expected = { call_id, participant: 'customer', version: 5 };
      expect(await staff.waitFor('peer_reconnected', (event) => event.call_id === call_id)).toMatchObject(
        expected,
      );
      expect(await returned[index]?.waitFor('peer_reconnected')).toMatchObject(expected);
      expect(returned[index]?.received[0]).toMatchObject({
        event: 'snapshot',
        payload: { grace_deadline: null },
      });
    }
    for (const call of await callsOf(entries)) expect(call.customer_grace_deadline).toBeNull();
  });

  it.each([
    ['', false],
    [' that is locked meanwhile', true],
  ])('are limited for each call%s', async (_, isLocked) => {
    const [first, second] = await joinQueue(2);
    if (isLocked) {
      await test.db.query('BEGIN');
      await test.db.query('SELECT FROM calls WHERE id = $1 FOR UPDATE', [first?.call_id]);
    }
    // Those beyond the limit may be disconnected before they receive a snapshot.
    const sockets: TestSocket[] = [];
    for (const number of oneTo(7)) {
      sockets.push(open(first?.websocket_token));
      // Some arrive together, others alone.
      if (number % 3 === 0) await until(() => sockets.at(-1)?.io.connected);
    }
    const other = await connect(second?.websocket_token);
    if (isLocked) {
      await until(() => sockets.filter(({ io }) => io.connected).length === 5);
      await test.db.query('COMMIT');
    }
    const openSockets = () => sockets.filter(({ io }) => io.connected).map(({ io }) => io.id);
    const leased = async () => (await leasesOf([first])).map(({ socket_id }) => socket_id);
    // The newest ones remain, however many were recorded together.
    const remaining = await until(
      async () => {
        const [ids, connected] = [new Set(await leased()), openSockets()];
        return ids.size === 5 && connected.length === 5 && connected.every((id) => ids.has(id)) && connected;
      },
      () => `${openSockets().length} sockets are connected`,
    );
    expect(remaining).toHaveLength(5);
    expect(other.io.connected).toBe(true);
  });
});
