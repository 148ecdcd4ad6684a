import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { prepareDatabase } from '../../src/operator/migration/prepare-database';
import type { Json } from '../support/http/api';
import { expectStatus, TestTenant } from '../support/builders';
import { DebianPostgres, describeWithDebianPostgres } from '../support/database/debian-postgres';
import { SERVICE_ROLE } from '../support/database/service-role';
import { TestSocket } from '../support/sockets/socket';
import { until } from '../support/until';
import { Cluster } from './support/cluster';
import { HaProxy } from './support/haproxy';
import { OutageLoad } from './support/outage-load';

/** Longer than requests wait for a connection (5 s), than those wait that have one (20 s), and than leases last (10 s). */
const FROZEN_MS = 30_000;
/** Longer than instances without a heartbeat live (10 s), so that they could presume each other dead. */
const DOWN_MS = 12_000;
const SESSIONS = `SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'video-call-queue'`;
/** Fewer than the clients of the load, so that some of them find no free connection. */
const DATABASE_POOL_SIZE = '2';

describeWithDebianPostgres('two instances whose PostgreSQL', () => {
  let primary: DebianPostgres;
  let replica: DebianPostgres;
  let proxy: HaProxy;
  let cluster: Cluster;
  let db: Client | undefined;
  let tenant: TestTenant;
  let link: Json;
  let agent: TestSocket;
  const waiting: { entry: Json; socket: TestSocket }[] = [];

  beforeAll(async () => {
    primary = await DebianPostgres.start();
    await prepareDatabase(primary.url('postgres'), { role: SERVICE_ROLE });
    replica = await primary.startReplica();
    proxy = await HaProxy.start(`
      defaults
        mode tcp
        timeout connect 1s
        timeout client 1h
        timeout server 1h
      listen database
        bind 127.0.0.1:PORT
        default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
        server primary 127.0.0.1:${primary.port}
        server replica 127.0.0.1:${replica.port} backup
    `);
    const DATABASE_URL = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`;
    cluster = await Cluster.start({ DATABASE_URL, DATABASE_POOL_SIZE });
    db = new Client({ connectionString: primary.url('postgres') });
    db.on('error', () => {});
    await db.connect();
    tenant = await TestTenant.register({ ...cluster.test, db });
    const queue = await tenant.queue({ max_queue_size: 1000 });
    ({ link } = queue);
    const member = await tenant.member('attendant', [queue.department.id]);
    agent = await TestSocket.connect(cluster.a.url, member.token);
    for (const { url } of [cluster.a, cluster.b]) {
      const entry = await tenant.join(link);
      waiting.push({ entry, socket: await TestSocket.connect(url, entry.websocket_token) });
    }
    // They are established after their first snapshot, before an event is acknowledged.
    for (const socket of [agent, ...waiting.map((each) => each.socket)]) {
      expect(await socket.send('snapshot')).toMatchObject({ ok: true });
    }
  });

  afterAll(async () => {
    for (const socket of [agent, ...waiting.map((each) => each.socket)]) socket?.close();
    await cluster?.stop();
    await db?.end().catch(() => {});
    await proxy?.stop();
    await replica?.remove();
    await primary?.remove();
  });

  const beginLoad = () => new OutageLoad([cluster.a, cluster.b], link.token);

  /** Nobody has lost their place or connection, and both instances work. */
  async function expectNothingLost(): Promise<void> {
    for (const { api } of [cluster.a, cluster.b]) {
      await until(async () => (await api.get('/readyz')).status === 200);
      await until(async () => (await api.get(`/api/v1/call/${link.token}/validate`)).status === 200);
      for (const [index, { entry }] of waiting.entries()) {
        const { body } = await api.get(`/api/v1/call/status/${entry.call_id}`);
        expect(body.data).toMatchObject({ status: 'queued', position: index + 1 });
      }
      const validated = await api.get(`/api/v1/call/${link.token}/validate`);
      expect(validated.body.data.online_agents).toBe(1);
    }
    for (const { io } of [agent, ...waiting.map((each) => each.socket)]) expect(io.connected).toBe(true);
    for (const { output } of [cluster.a, cluster.b]) expect(output).not.toContain('presumed this one dead');
  }

  it('is frozen answer 503 meanwhile, and go on when it is back', async () => {
    const load = beginLoad();
    primary.freeze();
    await setTimeout(FROZEN_MS);
    primary.thaw();
    await until(load.hasSucceededSince(Date.now()));
    expect(await load.stop()).toEqual({ unexpected: [], hasBeenUnavailable: true });
    await expectNothingLost();
  });

  it('is killed answer 503 until it has recovered', async () => {
    const load = beginLoad();
    await primary.kill();
    await setTimeout(DOWN_MS);
    await primary.launch();
    await until(load.hasSucceededSince(Date.now()));
    expect(await load.stop()).toEqual({ unexpected: [], hasBeenUnavailable: true });
    await expectNothingLost();
  });

  it('is lost go on with its replica when that is promoted', async () => {
    await until(() => isReplayed());
    const load = beginLoad();
    await primary.kill();
    // Joins have reached the replica, which refuses writes.
    await until(async () => (await query(replica, SESSIONS))[0]?.count > 0);
    const { joinCount } = load;
    await until(() => load.joinCount > joinCount + 4);
    await query(replica, 'SELECT pg_promote()');
    await until(load.hasSucceededSince(Date.now()));
    expect(await load.stop()).toEqual({ unexpected: [], hasBeenUnavailable: true });
    await expectNothingLost();
    expectStatus(await tenant.owner.api.get('/api/v1/users/me'), 200);
  });

  /** Whether the replica has all that was committed. */
  async function isReplayed(): Promise<boolean> {
    const [ahead] = await query(primary, 'SELECT pg_current_wal_flush_lsn()::text AS lsn');
    const [behind] = await query(replica, 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS done', [
      ahead?.lsn,
    ]);
    return behind?.done === true;
  }
});

async function query(server: DebianPostgres, text: string, values: unknown[] = []): Promise<Json[]> {
  const client = new Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
