import { SocketReconciler } from '../../src/live/socket-reconciler';
import { ACCESS_CHANGES, createSubject, AccessMonitor } from '../support/authorisation/access-changes';
import type { Answer, Json } from '../support/http/api';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { cloneDatabase, asSuperuser } from '../support/database/database';
import { expectFailure } from '../support/database/failures';
import { enrol } from '../support/contexts/mfa';
import { rowsDigest } from '../support/authorisation/rows-digest';
import { sharedTestApp } from '../support/shared-app';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const USERS = '/api/v1/users';

const ownersOf = async ({ db }: TestApp, { id }: TestTenant): Promise<Json[]> => {
  const { rows } = await db.query(`SELECT id FROM users WHERE tenant_id = $1 AND role = 'owner' AND active`, [
    id,
  ]);
  return rows;
};

/** The number of scans of the sessions table so far. */
const countSessionReads = (url: string): Promise<number> =>
  asSuperuser(url, async (client) => {
    const { rows } = await client.query<{ reads: number }>(
      `SELECT (seq_scan + COALESCE(idx_scan, 0))::int AS reads FROM pg_stat_user_tables WHERE relname = 'sessions'`,
    );
    return rows[0]?.reads ?? 0;
  });

describe('roles', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await sharedTestApp();
  });

  afterAll(() => test.close());

  describe('users with a higher role are protected', () => {
    let tenant: TestTenant;
    let manager: Member;
    let otherOwner: Member;
    let invited: string;

    beforeAll(async () => {
      tenant = await TestTenant.register(test);
      manager = await tenant.member('manager');
      otherOwner = await tenant.member('owner');
      await enrol(test, otherOwner);
      const invitee = { name: 'Ines Invited', email: 'ines@example.com', role: 'owner' };
      invited = (await tenant.owner.api.post(USERS, invitee)).body.data.id;
    });

    it.each<[string, () => Promise<Answer>]>([
      ['change the e-mail of', () => manager.api.put(`${USERS}/${otherOwner.id}`, { email: manager.email })],
      ['deactivate', () => manager.api.put(`${USERS}/${otherOwner.id}`, { active: false })],
      ['move', () => manager.api.put(`${USERS}/${otherOwner.id}`, { department_ids: [] })],
      ['take MFA from', () => manager.api.delete(`${USERS}/${otherOwner.id}/mfa`)],
      ['invite', () => manager.api.post(`${USERS}/${invited}/invitation`)],
    ])('a manager cannot %s an owner', async (_what, attempt) => {
      const before = await rowsDigest(test.db, tenant.id);
      expectFailure(await attempt(), 403, { code: 'forbidden' });
      expect(await rowsDigest(test.db, tenant.id)).toEqual(before);
    });

    it('an owner can do all of that', async () => {
      const secondOwner = { name: 'Puppet', email: 'puppet@example.com', role: 'owner' };
      const { api } = tenant.owner;
      expectStatus(await api.post(USERS, secondOwner), 201);
      expectStatus(await api.post(`${USERS}/${invited}/invitation`), 200);
      expectStatus(await api.delete(`${USERS}/${otherOwner.id}/mfa`), 204);
      expectStatus(await api.put(`${USERS}/${otherOwner.id}`, { name: 'Fired', active: false }), 200);
    });
  });

  describe('one active owner remains', () => {
    it.each([{ role: 'manager' }, { active: false }])('when both owners get %j at once', async (change) => {
      for (let round = 0; round < 5; round++) {
        const tenant = await TestTenant.register(test);
        const second = await tenant.member('owner');
        const both = [tenant.owner, second];
        // Each owner changes their own account, so that neither request makes the other one unauthorised.
        const answers = await Promise.all(both.map(({ api, id }) => api.put(`${USERS}/${id}`, change)));
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
        const refused = answers.find(({ status }) => status === 422) as Answer;
        expectFailure(refused, 422, { code: 'last_owner' });
        expect(await ownersOf(test, tenant)).toHaveLength(1);
      }
    });

    it('when three owners demote each other at once', async () => {
      const tenant = await TestTenant.register(test);
      const [second, third] = [await tenant.member('owner'), await tenant.member('owner')];
      const ring: [Member, Member][] = [
        [tenant.owner, second],
        [second, third],
        [third, tenant.owner],
      ];
      const answers = await Promise.all(
        ring.map(([by, target]) => by.api.put(`${USERS}/${target.id}`, { role: 'attendant' })),
      );
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      const demoted = answers.filter(({ status }) => status === 200).length;
      expect(await ownersOf(test, tenant)).toHaveLength(3 - demoted);
      expect(demoted).toBeLessThan(3);
    });
  });

  describe('a change of access', () => {
    let other: TestApp | undefined;

    afterAll(() => other?.close());

    it.each(ACCESS_CHANGES.map((change) => [change.what, change] as const))(
      'takes effect at the next request: %s',
      async (_what, change) => {
        const subject = await createSubject(test, change);
        const watch = await AccessMonitor.start(test, change, subject);
        // The reconciler would change the socket as well, a little later.
        const reconcile = jest.spyOn(test.get(SocketReconciler), 'reconcile').mockResolvedValue();
        try {
          expect((await change.make(subject)).status).toBeLessThan(300);
          expect(await watch.isRefused()).toBe(true);
          await until(
            () => watch.socketIsRestricted(),
            () => 'the socket has not changed',
          );
        } finally {
          reconcile.mockRestore();
          watch.close();
        }
      },
    );

    it('takes effect for requests within 5 s, and for sockets, on an instance that learns of it only from the database', async () => {
      const instance = await startTestApp({ databaseUrl: test.databaseUrl });
      other = instance;
      const changed = await Promise.all(
        ACCESS_CHANGES.map(async (change) => {
          const subject = await createSubject(test, change);
          const watch = await AccessMonitor.start(instance, change, subject);
          expect((await change.make(subject)).status).toBeLessThan(300);
          return { what: change.what, watch };
        }),
      );
      instance.clock.advance(5.001);
      for (const { what, watch } of changed) {
        expect({ what, isRefused: await watch.isRefused() }).toEqual({ what, isRefused: true });
        await until(
          () => watch.socketIsRestricted(),
          () => `${what}: the socket has not changed`,
        );
        watch.close();
      }
    });
  });
});

describe('the session state', () => {
  const REQUESTS = 200;
  const CONCURRENCY = 5;

  let database: Awaited<ReturnType<typeof cloneDatabase>>;

  beforeAll(async () => {
    database = await cloneDatabase();
  });

  afterAll(() => database.drop());

  it('is not read from the database for every request', async () => {
    const first = await startTestApp({ databaseUrl: database.url });
    const { owner } = await TestTenant.register(first);
    // PostgreSQL sessions report their statistics when they end at the latest.
    await first.close();
    const before = await countSessionReads(database.url);

    const test = await startTestApp({ databaseUrl: database.url });
    const start = Date.now();
    for (let sent = 0; sent < REQUESTS; sent += CONCURRENCY) {
      const requests = Array.from({ length: CONCURRENCY }, () => test.api.get(`${USERS}/me`, owner));
      for (const answer of await Promise.all(requests)) expectStatus(answer, 200);
    }
    const cacheWindows = Math.ceil((Date.now() - start) / 5000);
    await test.close();

    const reads = (await countSessionReads(database.url)) - before;
    expect(reads).toBeGreaterThanOrEqual(1);
    expect(reads).toBeLessThanOrEqual(CONCURRENCY * (cacheWindows + 1));
  });
});
