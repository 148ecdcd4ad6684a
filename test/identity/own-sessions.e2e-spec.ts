import { request } from 'node:http';
import type { Answer, Json } from '../support/http/api';
import { expectStatus, type Member, PASSWORD, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { closingSockets } from '../support/sockets/connect-sockets';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const SESSIONS = '/api/v1/users/me/sessions';
const ME = '/api/v1/users/me';
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DAY_MS = 86_400_000;

/** Sooner than upkeep, which cuts what nobody told to go, can be counted on. */
const AT_ONCE_MS = 2000;

let test: TestApp;
let tenant: TestTenant;
const { connect, open } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await startTestApp({ env: { TRUST_PROXY: 'loopback' } });
  tenant = await TestTenant.register(test);
});

afterAll(() => test.close());

/** Logs in once more, a second later, so that no two sessions are of the same moment. */
async function again({ email }: Member, headers: Record<string, string> = {}): Promise<Member> {
  test.clock.advance(1);
  const credentials = { tenant: tenant.slug, email, password: PASSWORD };
  const answer = await test.api.post('/api/auth/login', credentials, { headers });
  expectStatus(answer, 200);
  const { access_token, refresh_token, user } = answer.body;
  return { ...user, token: access_token, refresh_token, api: test.api.as(access_token) };
}

const refresh = ({ refresh_token }: Pick<Member, 'refresh_token'>) =>
  test.api.post('/api/auth/refresh', { refresh_token });

async function page({ api }: Member, query = ''): Promise<Json> {
  const answer = await api.get(`${SESSIONS}?${query}`);
  expectStatus(answer, 200);
  return answer.body;
}

const list = async (member: Member, query = ''): Promise<Json[]> => (await page(member, query)).data;

/** The session that the member asks from. */
async function idOf(member: Member): Promise<string> {
  return (await list(member, 'page_size=100')).find(({ current }) => current).id;
}

async function expectEnded(member: Member): Promise<void> {
  expectFailure(await member.api.get(ME), 401, { code: 'session_ended' });
  expectFailure(await refresh(member), 401, { code: 'invalid_refresh_token' });
}

describe('the list of own sessions', () => {
  it('shows where one is logged in, the newest use first', async () => {
    const first = await tenant.member();
    const phone = await again(first, { 'user-agent': 'Phone/1.0', 'x-forwarded-for': '198.51.100.7' });
    const laptop = await again(first, { 'user-agent': 'Laptop/2.0', 'x-forwarded-for': '2001:db8::a' });
    const { data, meta } = await page(phone);
    expect(meta).toEqual({ current_page: 1, page_size: 20, total_pages: 1, total_count: 3 });
    const moments = {
      last_used_at: expect.stringMatching(MOMENT),
      expires_at: expect.stringMatching(MOMENT),
    };
    const common = { id: expect.any(String), inserted_at: expect.stringMatching(MOMENT), ...moments };
    expect(data).toEqual([
      { ...common, current: false, address: '2001:db8::a', user_agent: 'Laptop/2.0' },
      { ...common, current: true, address: '198.51.100.7', user_agent: 'Phone/1.0' },
      { ...common, current: false, address: '127.0.0.1', user_agent: 'node' },
    ]);
    for (const { expires_at, last_used_at } of data) {
      expect(Date.parse(expires_at) - Date.parse(last_used_at)).toBeLessThan(30 * DAY_MS + 1000);
      expect(Date.parse(expires_at) - Date.parse(last_used_at)).toBeGreaterThan(30 * DAY_MS - 1000);
    }
    expect((await list(laptop)).map(({ current }) => current)).toEqual([true, false, false]);
  });

  it('says nothing of a client that did not name itself, and cuts a name without end', async () => {
    const member = await tenant.member();
    await again(member, { 'user-agent': 'x'.repeat(5000) });
    await loginWithoutName(member);
    const names = (await list(member)).map(({ user_agent }) => user_agent);
    expect(names).toEqual([null, 'x'.repeat(300), 'node']);
  });

  it('moves with a refresh: the session was used just now and lasts 30 days from now', async () => {
    const first = await tenant.member();
    const second = await again(first);
    const [id, before] = [await idOf(first), await list(second)];
    test.clock.advance(3600);
    expectStatus(await refresh(first), 200);
    const after = await list(second);
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

  it('has only open ones, and only those of the one who asks', async () => {
    const member = await tenant.member();
    const [leaving, expired, living] = [await again(member), await again(member), await again(member)];
    const colleague = await tenant.member();
    const foreign = await TestTenant.register(test, 'free');
    const ids = [await idOf(member), await idOf(living)];
    const expiredId = await idOf(expired);
    expectStatus(await leaving.api.post('/api/auth/logout'), 204);
    await test.db.query('UPDATE sessions SET expires_at = $2 WHERE id = $1', [expiredId, test.clock.now()]);
    const { data, meta } = await page(living);
    expect(data.map((session: Json) => session.id).sort()).toEqual([...ids].sort());
    expect(meta.total_count).toBe(2);
    for (const other of [colleague, foreign.owner]) {
      expect(await list(other)).toEqual([expect.objectContaining({ id: await idOf(other), current: true })]);
    }
  });

  it('comes in pages that neither repeat nor lose a session of the same moment', async () => {
    const member = await tenant.member();
    for (let n = 0; n < 4; n++) await again(member);
    await test.db.query('UPDATE sessions SET last_used_at = now() WHERE user_id = $1', [member.id]);
    const pages = await Promise.all([1, 2, 3, 4].map((number) => page(member, `page_size=2&page=${number}`)));
    expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1, 0]);
    expect(new Set(pages.flatMap(({ data }) => data.map(({ id }: Json) => id))).size).toBe(5);
    expect(pages[1].meta).toEqual({ current_page: 2, page_size: 2, total_pages: 3, total_count: 5 });
  });

  it.each(['last_used_at', 'inserted_at', 'expires_at', 'address', 'user_agent', 'id'])(
    'is sorted by %s, both ways',
    async (column) => {
      const member = await tenant.member();
      await again(member, { 'user-agent': 'b', 'x-forwarded-for': '198.51.100.9' });
      await again(member, { 'user-agent': 'a', 'x-forwarded-for': '198.51.100.8' });
      const values = async (order: string) =>
        (await list(member, `sort_by=${column}&sort_order=${order}`)).map((session) => session[column]);
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
  ])('refuses %s', async (query, field) => {
    expectFailure(await tenant.owner.api.get(`${SESSIONS}?${query}`), 400, { field });
  });

  it('is for those who are logged in', async () => {
    expectFailure(await test.api.get(SESSIONS), 401);
    expectFailure(await test.api.delete(`${SESSIONS}/${someId()}`), 401);
  });
});

/** A client that sends no User-Agent, as fetch cannot. */
async function loginWithoutName({ email }: Member): Promise<void> {
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

const end = ({ api }: Member, id: string): Promise<Answer> => api.delete(`${SESSIONS}/${id}`);

describe('ending an own session', () => {
  it('stops its tokens and cuts its sockets at once, and touches no other', async () => {
    const here = await tenant.member();
    const [lost, third] = [await again(here), await again(here)];
    const colleague = await tenant.member();
    const [gone, alsoGone] = [await connect(lost.token), await connect(lost.token)];
    const [mine, thirds, theirs] = [
      await connect(here.token),
      await connect(third.token),
      await connect(colleague.token),
    ];
    expectStatus(await lost.api.get(ME), 200);
    const answer = await end(here, await idOf(lost));
    expect(answer).toMatchObject({ status: 204, body: '' });
    await expectEnded(lost);
    await until(() => !gone.io.connected && !alsoGone.io.connected, undefined, AT_ONCE_MS);
    for (const other of [here, third, colleague]) {
      expectStatus(await other.api.get(ME), 200);
      expectStatus(await refresh(other), 200);
    }
    expect([mine, thirds, theirs].map(({ io }) => io.connected)).toEqual([true, true, true]);
    expect(await list(here)).toHaveLength(2);

    const refused = open(lost.token);
    const error = await new Promise<Json>((resolve) => refused.io.once('connect_error', resolve));
    expect(error.data.code).toBe('session_ended');
  });

  it('works on the one that asks, as a logout does', async () => {
    const member = await tenant.member();
    const other = await again(member);
    const socket = await connect(member.token);
    expectStatus(await end(member, await idOf(member)), 204);
    await expectEnded(member);
    await until(() => !socket.io.connected, undefined, AT_ONCE_MS);
    expectStatus(await other.api.get(ME), 200);
  });

  it('records what happened, and why', async () => {
    const member = await tenant.member();
    const id = await idOf(await again(member));
    expectStatus(await end(member, id), 204);
    const { rows } = await test.db.query(
      `SELECT payload FROM domain_events WHERE type = 'session.revoked' AND subject_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ payload: expect.objectContaining({ user_id: member.id, reason: 'revoked' }) }]);
  });

  it.each<[string, (member: Member) => Promise<string>]>([
    ["a colleague's", async () => idOf(await tenant.member())],
    ["another tenant's", async () => idOf((await TestTenant.register(test, 'free')).owner)],
    ['one that nobody ever had', async () => someId()],
    [
      'one that was ended',
      async (member) => {
        const ended = await again(member);
        const id = await idOf(ended);
        expectStatus(await ended.api.post('/api/auth/logout'), 204);
        return id;
      },
    ],
    [
      'one that ran out',
      async (member) => {
        const id = await idOf(await again(member));
        await test.db.query('UPDATE sessions SET expires_at = $2 WHERE id = $1', [id, test.clock.now()]);
        return id;
      },
    ],
  ])('is 404 for %s, and changes nothing', async (_what, idFor) => {
    // An owner: no role reaches further than oneself.
    const member = await tenant.member('owner');
    const id = await idFor(member);
    const row = async () => (await test.db.query('SELECT * FROM sessions WHERE id = $1', [id])).rows;
    const before = await row();
    expectFailure(await end(member, id), 404, { code: 'not_found' });
    expect(await row()).toEqual(before);
  });

  it.each(['x', '7', 'me', 'current', '00000000-0000-0000-0000-00000000000g', '%00'])(
    'is 400 for the id %s',
    async (id) => {
      expectFailure(await end(tenant.owner, id), 400);
    },
  );

  it('succeeds once when it is asked for several times at once', async () => {
    const member = await tenant.member();
    const id = await idOf(await again(member));
    const answers = await Promise.all(Array.from({ length: 5 }, () => end(member, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
  });

  it('wins over a refresh that comes at the same time: no token outlives it', async () => {
    const member = await tenant.member();
    for (let n = 0; n < 8; n++) {
      const lost = await again(member);
      const id = await idOf(lost);
      const [ended, refreshed] = await Promise.all([end(member, id), refresh(lost)]);
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

describe('a refresh token that is used again', () => {
  it('cuts the sockets of its session, whichever token they came with, and no others', async () => {
    const victim = await tenant.member();
    const elsewhere = await again(victim);
    const next = await refresh(victim);
    expectStatus(next, 200);
    const [older, newer] = [await connect(victim.token), await connect(next.body.access_token)];
    const untouched = await connect(elsewhere.token);
    expectFailure(await refresh(victim), 401, { code: 'invalid_refresh_token' });
    await until(() => !older.io.connected && !newer.io.connected, undefined, AT_ONCE_MS);
    expect(untouched.io.connected).toBe(true);
    expectFailure(await victim.api.get(ME), 401, { code: 'session_ended' });
    expectFailure(await refresh(next.body), 401);
    expect(await list(elsewhere)).toEqual([expect.objectContaining({ current: true })]);
  });
});
