import { request } from 'node:http';
import { SocketReconciler } from '../../src/live/socket-reconciler';
import type { Answer, Json } from '../support/http/api';
import { expectStatus, type Member, PASSWORD, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { closingSockets } from '../support/sockets/connect-sockets';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const SESSIONS = '/api/v1/users/me/sessions';
const ME = '/api/v1/users/me';
const ISO_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DAY_MS = 86_400_000;

let test: TestApp;
let tenant: TestTenant;
const { connect, open } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await startTestApp({ env: { TRUST_PROXY: 'loopback' } });
  // So that only the event itself can close a socket.
  await test.get(SocketReconciler).onModuleDestroy();
  tenant = await TestTenant.register(test);
});

afterAll(() => test.close());

/** Logs in again, one second later, so that no two sessions have the same time. */
async function loginAgain({ email }: Member, headers: Record<string, string> = {}): Promise<Member> {
  test.clock.advance(1);
  const credentials = { tenant: tenant.slug, email, password: PASSWORD };
  const answer = await test.api.post('/api/auth/login', credentials, { headers });
  expectStatus(answer, 200);
  const { access_token, refresh_token, user } = answer.body;
  return { ...user, token: access_token, refresh_token, api: test.api.as(access_token) };
}

const refresh = ({ refresh_token }: Pick<Member, 'refresh_token'>) =>
  test.api.post('/api/auth/refresh', { refresh_token });

async function getPage({ api }: Member, query = ''): Promise<Json> {
  const answer = await api.get(`${SESSIONS}?${query}`);
  expectStatus(answer, 200);
  return answer.body;
}

const listSessions = async (member: Member, query = ''): Promise<Json[]> =>
  (await getPage(member, query)).data;

/** The id of the session of the member's token. */
async function sessionIdOf(member: Member): Promise<string> {
  return (await listSessions(member, 'page_size=100')).find(({ current }) => current).id;
}

async function expectEnded(member: Member): Promise<void> {
  expectFailure(await member.api.get(ME), 401, { code: 'session_ended' });
  expectFailure(await refresh(member), 401, { code: 'invalid_refresh_token' });
}

describe('the list of own sessions', () => {
  it('returns all sessions of the user, the last used one first', async () => {
    const first = await tenant.member();
    const phone = await loginAgain(first, { 'user-agent': 'Phone/1.0', 'x-forwarded-for': '198.51.100.7' });
    const laptop = await loginAgain(first, { 'user-agent': 'Laptop/2.0', 'x-forwarded-for': '2001:db8::a' });
    const { data, meta } = await getPage(phone);
    expect(meta).toEqual({ current_page: 1, page_size: 20, total_pages: 1, total_count: 3 });
    const timestamps = {
      last_used_at: expect.stringMatching(ISO_TIMESTAMP),
      expires_at: expect.stringMatching(ISO_TIMESTAMP),
    };
    const common = {
      id: expect.any(String),
      inserted_at: expect.stringMatching(ISO_TIMESTAMP),
      ...timestamps,
    };
    expect(data).toEqual([
      { ...common, current: false, address: '2001:db8::a', user_agent: 'Laptop/2.0' },
      { ...common, current: true, address: '198.51.100.7', user_agent: 'Phone/1.0' },
      { ...common, current: false, address: '127.0.0.1', user_agent: 'node' },
    ]);
    for (const { expires_at, last_used_at } of data) {
      expect(Date.parse(expires_at) - Date.parse(last_used_at)).toBeLessThan(30 * DAY_MS + 1000);
      expect(Date.parse(expires_at) - Date.parse(last_used_at)).toBeGreaterThan(30 * DAY_MS - 1000);
    }
    expect((await listSessions(laptop)).map(({ current }) => current)).toEqual([true, false, false]);
  });

  it('returns null for a missing User-Agent and truncates a long one', async () => {
    const member = await tenant.member();
    await loginAgain(member, { 'user-agent': 'x'.repeat(5000) });
    await loginWithoutUserAgent(member);
    const names = (await listSessions(member)).map(({ user_agent }) => user_agent);
    expect(names).toEqual([null, 'x'.repeat(300), 'node']);
  });

  it('is updated by a refresh, which sets last_used_at to now and expires_at to 30 days later', async () => {
    const first = await tenant.member();
    const second = await loginAgain(first);
    const [id, before] = [await sessionIdOf(first), await listSessions(second)];
    test.clock.advance(3600);
    expectStatus(await refresh(first), 200);
    const after = await listSessions(second);
    expect(before.map((session) => session.id).indexOf(id)).toBe(1);
    expect(after.map((session) => session.id).indexOf(id)).toBe(0);
    for (const column of ['last_used_at', 'expires_at']) {
      const moved = Date.parse(after[0][column]) - Date.parse(before[1][column]);
      expect(moved).toBeGreaterThanOrEqual(3_600_000);
      expect(moved).toBeLessThan(3_660_000);
    }
    expect(after[0].inserted_at).toBe(before[1].inserted_at);
    expect(after[1]).toEqual(before[0]);
  });

  it('contains only open sessions of the user', async () => {
    const member = await tenant.member();
    const [leaving, expired, living] = [
      await loginAgain(member),
      await loginAgain(member),
      await loginAgain(member),
    ];
    const colleague = await tenant.member();
    const foreign = await TestTenant.register(test, 'free');
    const ids = [await sessionIdOf(member), await sessionIdOf(living)];
    const expiredId = await sessionIdOf(expired);
    expectStatus(await leaving.api.post('/api/auth/logout'), 204);
    await test.db.query('UPDATE sessions SET expires_at = $2 WHERE id = $1', [expiredId, test.clock.now()]);
    const { data, meta } = await getPage(living);
    expect(data.map((session: Json) => session.id).sort()).toEqual([...ids].sort());
    expect(meta.total_count).toBe(2);
    for (const other of [colleague, foreign.owner]) {
      expect(await listSessions(other)).toEqual([
        expect.objectContaining({ id: await sessionIdOf(other), current: true }),
      ]);
    }
  });

  it('is paged without repeating or losing sessions of the same time', async () => {
    const member = await tenant.member();
    for (let n = 0; n < 4; n++) await loginAgain(member);
    await test.db.query('UPDATE sessions SET last_used_at = now() WHERE user_id = $1', [member.id]);
    const pages = await Promise.all(
      [1, 2, 3, 4].map((number) => getPage(member, `page_size=2&page=${number}`)),
    );
    expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1, 0]);
    expect(new Set(pages.flatMap(({ data }) => data.map(({ id }: Json) => id))).size).toBe(5);
    expect(pages[1].meta).toEqual({ current_page: 2, page_size: 2, total_pages: 3, total_count: 5 });
  });

  it.each(['last_used_at', 'inserted_at', 'expires_at', 'address', 'user_agent', 'id'])(
    'can be sorted by %s in both orders',
    async (column) => {
      const member = await tenant.member();
      await loginAgain(member, { 'user-agent': 'b', 'x-forwarded-for': '198.51.100.9' });
      await loginAgain(member, { 'user-agent': 'a', 'x-forwarded-for': '198.51.100.8' });
      const values = async (order: string) =>
        (await listSessions(member, `sort_by=${column}&sort_order=${order}`)).map(
          (session) => session[column],
        );
      const ascending = await values('asc');
      expect(ascending).toHaveLength(3);
      expect(ascending).toEqual([...ascending].sort());
      expect(await values('desc')).toEqual([...ascending].reverse());
    },
  );

  it.each([
    ['page=0', 'page'],
    ['page=x', 'page'],
    ['page=1&page=2', 'page'],
    ['page_size=0', 'page_size'],
    ['page_size=1.5', 'page_size'],
    ['sort_by=user_id', 'sort_by'],
    ['sort_by=s.id', 'sort_by'],
    ['sort_by=constructor', 'sort_by'],
    ['sort_order=up', 'sort_order'],
  ])('rejects %s with 400', async (query, field) => {
    expectFailure(await tenant.owner.api.get(`${SESSIONS}?${query}`), 400, { field });
  });

  it('requires an access token', async () => {
    expectFailure(await test.api.get(SESSIONS), 401);
    expectFailure(await test.api.delete(`${SESSIONS}/${someId()}`), 401);
  });
});

/** Logs in without a User-Agent header, which fetch cannot omit. */
async function loginWithoutUserAgent({ email }: Member): Promise<void> {
  test.clock.advance(1);
  const body = JSON.stringify({ tenant: tenant.slug, email, password: PASSWORD });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${test.url}/api/auth/login`, { method: 'POST', headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject).end(body);
  });
  expect(status).toBe(200);
}

const endSession = ({ api }: Member, id: string): Promise<Answer> => api.delete(`${SESSIONS}/${id}`);

describe('ending an own session', () => {
  it('invalidates its tokens and closes its sockets at once, without an effect on others', async () => {
    const here = await tenant.member();
    const [lost, third] = [await loginAgain(here), await loginAgain(here)];
    const colleague = await tenant.member();
    const [lostSocket, secondLostSocket] = [await connect(lost.token), await connect(lost.token)];
    const [ownSocket, thirdSocket, colleagueSocket] = [
      await connect(here.token),
      await connect(third.token),
      await connect(colleague.token),
    ];
    expectStatus(await lost.api.get(ME), 200);
    const answer = await endSession(here, await sessionIdOf(lost));
    expect(answer).toMatchObject({ status: 204, body: '' });
    await expectEnded(lost);
    await until(() => !lostSocket.io.connected && !secondLostSocket.io.connected);
    for (const other of [here, third, colleague]) {
      expectStatus(await other.api.get(ME), 200);
      expectStatus(await refresh(other), 200);
    }
    expect([ownSocket, thirdSocket, colleagueSocket].map(({ io }) => io.connected)).toEqual([
      true,
      true,
      true,
    ]);
    expect(await listSessions(here)).toHaveLength(2);

    const refused = open(lost.token);
    const error = await new Promise<Json>((resolve) => refused.io.once('connect_error', resolve));
    expect(error.data.code).toBe('session_ended');
  });

  it('works for the current session, like a logout', async () => {
    const member = await tenant.member();
    const other = await loginAgain(member);
    const socket = await connect(member.token);
    expectStatus(await endSession(member, await sessionIdOf(member)), 204);
    await expectEnded(member);
    await until(() => !socket.io.connected);
    expectStatus(await other.api.get(ME), 200);
  });

  it('records an event with the reason', async () => {
    const member = await tenant.member();
    const id = await sessionIdOf(await loginAgain(member));
    expectStatus(await endSession(member, id), 204);
    const { rows } = await test.db.query(
      `SELECT payload FROM domain_events WHERE type = 'session.revoked' AND subject_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ payload: expect.objectContaining({ user_id: member.id, reason: 'revoked' }) }]);
  });

  it.each<[string, (member: Member) => Promise<string>]>([
    ["a colleague's", async () => sessionIdOf(await tenant.member())],
    ["another tenant's", async () => sessionIdOf((await TestTenant.register(test, 'free')).owner)],
    ['an unknown one', async () => someId()],
    [
      'an ended one',
      async (member) => {
        const ended = await loginAgain(member);
        const id = await sessionIdOf(ended);
        expectStatus(await ended.api.post('/api/auth/logout'), 204);
        return id;
      },
    ],
    [
      'an expired one',
      async (member) => {
        const id = await sessionIdOf(await loginAgain(member));
        await test.db.query('UPDATE sessions SET expires_at = $2 WHERE id = $1', [id, test.clock.now()]);
        return id;
      },
    ],
  ])('is 404 for %s and changes nothing', async (_what, idFor) => {
    // Even an owner can end only their own sessions.
    const member = await tenant.member('owner');
    const id = await idFor(member);
    const row = async () => (await test.db.query('SELECT * FROM sessions WHERE id = $1', [id])).rows;
    const before = await row();
    expectFailure(await endSession(member, id), 404, { code: 'not_found' });
    expect(await row()).toEqual(before);
  });

  it.each(['x', '7', 'me', 'current', '00000000-0000-0000-0000-00000000000g', '%00'])(
    'is 400 for the id %s',
    async (id) => {
      expectFailure(await endSession(tenant.owner, id), 400);
    },
  );

  it('succeeds once for concurrent requests', async () => {
    const member = await tenant.member();
    const id = await sessionIdOf(await loginAgain(member));
    const answers = await Promise.all(Array.from({ length: 5 }, () => endSession(member, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
  });

  it('invalidates the tokens of a concurrent refresh, too', async () => {
    const member = await tenant.member();
    for (let n = 0; n < 8; n++) {
      const lost = await loginAgain(member);
      const id = await sessionIdOf(lost);
      const [ended, refreshed] = await Promise.all([endSession(member, id), refresh(lost)]);
      expectStatus(ended, 204);
      const { access_token, refresh_token } = refreshed.body;
      expect([200, 401]).toContain(refreshed.status);
      if (refreshed.status === 200) {
        await expectEnded({ ...lost, refresh_token, api: test.api.as(access_token) });
      }
      await expectEnded(lost);
    }
  });
});

describe('a reused refresh token', () => {
  it('closes all sockets of its session and no others', async () => {
    const victim = await tenant.member();
    const elsewhere = await loginAgain(victim);
    const next = await refresh((await refresh(victim)).body);
    expectStatus(next, 200);
    const [older, newer] = [await connect(victim.token), await connect(next.body.access_token)];
    const untouched = await connect(elsewhere.token);
    expectFailure(await refresh(victim), 401, { code: 'invalid_refresh_token' });
    await until(() => !older.io.connected && !newer.io.connected);
    expect(untouched.io.connected).toBe(true);
    expectFailure(await victim.api.get(ME), 401, { code: 'session_ended' });
    expectFailure(await refresh(next.body), 401);
    expect(await listSessions(elsewhere)).toEqual([expect.objectContaining({ current: true })]);
  });
});
