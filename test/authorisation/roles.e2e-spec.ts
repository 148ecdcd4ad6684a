import { ACCESS_CHANGES, type AccessChange, subjectOf, Watch } from '../support/authorisation/access-changes';
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

/** How often the table of sessions has been read so far. */
const readsOfSessions = (url: string): Promise<number> =>
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

  describe('nobody reaches above their own', () => {
    let tenant: TestTenant;
    let manager: Member;
    let boss: Member;
    let invited: string;

    beforeAll(async () => {
      tenant = await TestTenant.register(test);
      manager = await tenant.member('manager');
      boss = await tenant.member('owner');
      await enrol(test, boss);
      const invitee = { name: 'Ines Invited', email: 'ines@example.com', role: 'owner' };
      invited = (await tenant.owner.api.post(USERS, invitee)).body.data.id;
    });

    it.each<[string, () => Promise<Answer>]>([
      ['take the e-mail of', () => manager.api.put(`${USERS}/${boss.id}`, { email: manager.email })],
      ['deactivate', () => manager.api.put(`${USERS}/${boss.id}`, { active: false })],
      ['move', () => manager.api.put(`${USERS}/${boss.id}`, { department_ids: [] })],
      ['take MFA from', () => manager.api.delete(`${USERS}/${boss.id}/mfa`)],
      ['invite', () => manager.api.post(`${USERS}/${invited}/invitation`)],
    ])('a manager cannot %s an owner', async (_what, attempt) => {
      const before = await rowsDigest(test.db, tenant.id);
      expectFailure(await attempt(), 403, { code: 'forbidden' });
      expect(await rowsDigest(test.db, tenant.id)).toEqual(before);
    });

    it('an owner may do all of that', async () => {
      const puppet = { name: 'Puppet', email: 'puppet@example.com', role: 'owner' };
      const { api } = tenant.owner;
      expectStatus(await api.post(USERS, puppet), 201);
      expectStatus(await api.post(`${USERS}/${invited}/invitation`), 200);
      expectStatus(await api.delete(`${USERS}/${boss.id}/mfa`), 204);
      expectStatus(await api.put(`${USERS}/${boss.id}`, { name: 'Fired', active: false }), 200);
    });
  });

  describe('one active owner stays', () => {
    it.each([{ role: 'manager' }, { active: false }])('of two who both get %j at once', async (change) => {
      for (let round = 0; round < 5; round++) {
        const tenant = await TestTenant.register(test);
        const second = await tenant.member('owner');
        const both = [tenant.owner, second];
        // By themselves, so that neither request takes the other's right to make it.
        const answers = await Promise.all(both.map(({ api, id }) => api.put(`${USERS}/${id}`, change)));
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
        const refused = answers.find(({ status }) => status === 422) as Answer;
        expectFailure(refused, 422, { code: 'last_owner' });
        expect(await ownersOf(test, tenant)).toHaveLength(1);
      }
    });

    it('of three, each demoted by another at once', async () => {
      const tenant = await TestTenant.register(test);
      const [second, third] = [await tenant.member('owner'), await tenant.member('owner')];
      const ring: [Member, Member][] = [
        [tenant.owner, second],
        [second, third],
        [third, tenant.owner],
      ];
      const answers = await Promise.all(
        ring.map(([by, whom]) => by.api.put(`${USERS}/${whom.id}`, { role: 'attendant' })),
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
      'counts at the next request: %s',
      async (_what, change) => {
        const subject = await subjectOf(test, change);
        const watch = await Watch.begin(test, change, subject);
        expect((await change.make(subject)).status).toBeLessThan(300);
        expect(await watch.isRefused()).toBe(true);
        await until(
          () => watch.hasSettled(),
          () => 'the socket is as it was',
          1000,
        );
        watch.end();
      },
    );

    it('counts within 5 s on an instance that hears of it from the database alone', async () => {
      other = await startTestApp({ databaseUrl: test.databaseUrl });
      const late = await Promise.all(ACCESS_CHANGES.map(lateness));
      expect(late.filter(({ rest, socket }) => rest > 5.5 || socket > 7)).toEqual([]);
    });

    /** Seconds until requests and the socket on another instance are as they should be. */
    async function lateness(change: AccessChange) {
      const subject = await subjectOf(test, change);
      const watch = await Watch.begin(other as TestApp, change, subject);
      expect((await change.make(subject)).status).toBeLessThan(300);
      const start = Date.now();
      const seconds = () => (Date.now() - start) / 1000;
      const [rest, socket] = await Promise.all([
        until(
          () => watch.isRefused(),
          () => `${change.what}: still answered`,
        ).then(seconds),
        until(
          () => watch.hasSettled(),
          () => `${change.what}: the socket is as it was`,
        ).then(seconds),
      ]);
      watch.end();
      return { what: change.what, rest, socket };
    }
  });
});

describe('the state of a session', () => {
  const REQUESTS = 200;
  const AT_ONCE = 5;

  let database: Awaited<ReturnType<typeof cloneDatabase>>;

  beforeAll(async () => {
    database = await cloneDatabase();
  });

  afterAll(() => database.drop());

  it('is not read from the database at every request', async () => {
    const first = await startTestApp({ databaseUrl: database.url });
    const { owner } = await TestTenant.register(first);
    // Sessions of PostgreSQL tell their statistics at their end at the latest.
    await first.close();
    const before = await readsOfSessions(database.url);

    const test = await startTestApp({ databaseUrl: database.url });
    const start = Date.now();
    for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
      const requests = Array.from({ length: AT_ONCE }, () => test.api.get(`${USERS}/me`, owner));
      for (const answer of await Promise.all(requests)) expectStatus(answer, 200);
    }
    const windows = Math.ceil((Date.now() - start) / 5000);
    await test.close();

    const reads = (await readsOfSessions(database.url)) - before;
    expect(reads).toBeGreaterThanOrEqual(1);
    expect(reads).toBeLessThanOrEqual(AT_ONCE * (windows + 1));
  });
});
