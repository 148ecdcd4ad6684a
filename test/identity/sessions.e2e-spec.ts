import { hashToken } from '../../src/identity/sessions/opaque-token';
import { expectStatus, login, type Member, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { partsOf } from '../support/authorisation/forged-tokens';
import type { Answer, Json } from '../support/http/api';
import { tokenFor } from '../support/http/tokens';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const ME = '/api/v1/users/me';

let test: TestApp;
let tenant: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  other = await TestTenant.register(test, 'free');
});

afterAll(() => test.close());

const refresh = (refresh_token: unknown) => test.api.post('/api/auth/refresh', { refresh_token });
const newSession = (): Promise<Member> => login(test, tenant.slug, tenant.owner.email);

/** A header value whose bytes are UTF-8: fetch sends each character as one byte. */
const utf8HeaderValue = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

// Changes the rows, since advancing the clock would end all sessions.
const ageRefreshTokens = async ({ id }: Member, interval: string) => {
  await test.db.query(
    `UPDATE refresh_tokens r SET expires_at = r.expires_at - $2::interval FROM sessions s
     WHERE s.id = r.session_id AND s.user_id = $1`,
    [id, interval],
  );
};

/** Lets the member's used refresh tokens have been used earlier. */
const ageUse = async ({ id }: Member, seconds: number) => {
  await test.db.query(
    `UPDATE refresh_tokens r SET used_at = r.used_at - make_interval(secs => $2) FROM sessions s
     WHERE s.id = r.session_id AND s.user_id = $1`,
    [id, seconds],
  );
};

/** Refreshing with the token is refused, and ends the session of the newest tokens. */
async function expectReuse(token: string, newest: Json): Promise<void> {
  expectFailure(await refresh(token), 401, { code: 'invalid_refresh_token' });
  expectFailure(await test.api.get(ME, { token: newest.access_token }), 401, { code: 'session_ended' });
}

it('gives each of several requests at the same time its own user', async () => {
  const members = await Promise.all(Array.from({ length: 8 }, () => tenant.member()));
  // No session is cached yet, so that all of them are read at the same time.
  const answers = await Promise.all(members.map(({ token }) => test.api.get(ME, { token })));
  expect(answers.map(({ body }) => body.data.id)).toEqual(members.map(({ id }) => id));
});

describe('refreshing a session', () => {
  it('returns a new pair of tokens and stores only a hash', async () => {
    const member = await newSession();
    const answer = await refresh(member.refresh_token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      expires_in: 900,
      refresh_token: expect.any(String),
      user: { id: member.id, name: member.name, email: member.email, role: 'owner' },
    });
    expect(answer.body.refresh_token).not.toBe(member.refresh_token);
    expectStatus(await test.api.get(ME, { token: answer.body.access_token }), 200);
    const { rows } = await test.db.query(`SELECT FROM refresh_tokens r WHERE r::text LIKE '%' || $1 || '%'`, [
      answer.body.refresh_token,
    ]);
    expect(rows).toEqual([]);
  });

  it('with a token whose successor was used ends its session and no other', async () => {
    const [stolen, bystander] = [await newSession(), await newSession()];
    const next = await refresh(stolen.refresh_token);
    expectStatus(next, 200);
    const newest = await refresh(next.body.refresh_token);
    expectStatus(newest, 200);
    await expectReuse(stolen.refresh_token, newest.body);
    expectFailure(await refresh(newest.body.refresh_token), 401, { code: 'invalid_refresh_token' });
    expectStatus(await bystander.api.get(ME), 200);
    expectStatus(await refresh(bystander.refresh_token), 200);
  });

  it('answers with the same successor for 30 s, and with access tokens that work', async () => {
    const member = await newSession();
    const answers = [await refresh(member.refresh_token), await refresh(member.refresh_token)];
    await ageUse(member, 29);
    answers.push(await refresh(member.refresh_token));
    for (const answer of answers) {
      expectStatus(answer, 200);
      expect(answer.body.refresh_token).toBe(answers[0]?.body.refresh_token);
      expect(answer.body.user).toEqual(answers[0]?.body.user);
      expectStatus(await test.api.get(ME, { token: answer.body.access_token }), 200);
    }
    await ageUse(member, 1);
    await expectReuse(member.refresh_token, answers[0]?.body);
  });

  it('answers with one successor when a token is used several times at once', async () => {
    const { refresh_token } = await newSession();
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const successors = new Set(answers.map(({ body }) => body.refresh_token));
    expect(successors.size).toBe(1);
    const { rows } = await test.db.query(
      `SELECT count(*)::int AS tokens FROM refresh_tokens r
       WHERE r.session_id = (SELECT session_id FROM refresh_tokens WHERE token_hash = $1)`,
      [hashToken(refresh_token)],
    );
    expect(rows).toEqual([{ tokens: 2 }]);
    expectStatus(await refresh([...successors][0]), 200);
  });

  it('ends the session or repeats the answer, as the database decides, when a successor is used at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { refresh_token } = await newSession();
      const { body } = await refresh(refresh_token);
      const [repeated, next] = await Promise.all([refresh(refresh_token), refresh(body.refresh_token)]);
      if (repeated.status === 200) {
        expect(repeated.body.refresh_token).toBe(body.refresh_token);
        expectStatus(next, 200);
      } else {
        expectFailure(repeated, 401, { code: 'invalid_refresh_token' });
        expectFailure(await test.api.get(ME, { token: body.access_token }), 401, { code: 'session_ended' });
        expectStatus(await refresh(next.body.refresh_token ?? body.refresh_token), 401);
      }
    }
  });

  it('does not repeat an answer when session, user or tenant ended meanwhile', async () => {
    const company = await TestTenant.register(test);
    const [leaving, inactive, suspended] = [
      await company.member('attendant'),
      await company.member('attendant'),
      await company.member('attendant'),
    ];
    for (const { refresh_token } of [leaving, inactive, suspended]) {
      expectStatus(await refresh(refresh_token), 200);
      expectStatus(await refresh(refresh_token), 200);
    }
    expectStatus(await leaving.api.post('/api/auth/logout'), 204);
    expectStatus(await company.owner.api.put(`/api/v1/users/${inactive.id}`, { active: false }), 200);
    for (const { refresh_token } of [leaving, inactive]) expectStatus(await refresh(refresh_token), 401);
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [company.id]);
    expectStatus(await refresh(suspended.refresh_token), 401);
  });

  it('is possible for 30 days', async () => {
    const member = await tenant.member();
    await ageRefreshTokens(member, '29 days 23:59:00');
    const next = await refresh(member.refresh_token);
    expectStatus(next, 200);
    await ageRefreshTokens(member, '30 days');
    expectFailure(await refresh(next.body.refresh_token), 401, { code: 'invalid_refresh_token' });
  });

  it.each([
    ['an unknown token', 'x'.repeat(43), 401],
    ['an empty one', '', 422],
    ['none', undefined, 422],
    ['one of the wrong type', ['a'], 422],
  ])('rejects %s', async (_what, token, status) => {
    expectFailure(await refresh(token), status);
  });

  it('rejects a deactivated user', async () => {
    const member = await tenant.member('attendant');
    expectStatus(await tenant.owner.api.put(`/api/v1/users/${member.id}`, { active: false }), 200);
    expectFailure(await refresh(member.refresh_token), 401);
  });
});

describe('logging out', () => {
  it('ends the session at once and no others', async () => {
    const [leaving, staying] = [await newSession(), await newSession()];
    expectStatus(await leaving.api.get(ME), 200);
    const answer = await leaving.api.post('/api/auth/logout');
    expect(answer.status).toBe(204);
    expect(answer.body).toBe('');
    expectFailure(await leaving.api.get(ME), 401, { code: 'session_ended' });
    expectFailure(await refresh(leaving.refresh_token), 401);
    expectStatus(await staying.api.get(ME), 200);
  });

  it('ends the session of a refresh token, too, if it belongs to the caller', async () => {
    const [here, there] = [await newSession(), await newSession()];
    expectStatus(await here.api.post('/api/auth/logout', { refresh_token: there.refresh_token }), 204);
    expectFailure(await there.api.get(ME), 401);
    expectFailure(await refresh(there.refresh_token), 401);

    const ownSession = await newSession();
    const otherSession = await login(test, other.slug, other.owner.email);
    expectStatus(
      await ownSession.api.post('/api/auth/logout', { refresh_token: otherSession.refresh_token }),
      204,
    );
    expectStatus(await otherSession.api.get(ME), 200);
  });

  it('requires an access token', async () => {
    expectFailure(await test.api.post('/api/auth/logout', {}), 401);
  });
});

describe('X-Tenant', () => {
  it('accepts slug, name or id of the tenant in UTF-8 or Latin-1 and rejects any other with 403', async () => {
    const member = await newSession();
    await test.db.query(`UPDATE tenants SET name = 'Açaí & Cia' WHERE id = $1`, [tenant.id]);
    // The session state is cached for 5 s.
    test.clock.advance(6);
    const send = (value: string) => member.api.get(ME, { headers: { 'x-tenant': value } });
    for (const name of [
      tenant.slug,
      tenant.id,
      utf8HeaderValue('Açaí & Cia'),
      'Açaí & Cia',
      utf8HeaderValue('AÇAÍ & CIA'),
    ]) {
      expectStatus(await send(name), 200);
    }
    for (const name of [other.slug, other.name, other.id, utf8HeaderValue('Açai & Cia'), 'nowhere']) {
      expectFailure(await send(name), 403, { code: 'wrong_tenant' });
    }
  });
});

const challengeOf = ({ headers }: Answer) => headers.get('www-authenticate');

describe('a 401', () => {
  it('says with WWW-Authenticate that a token is needed, or that the one sent is not valid', async () => {
    expect(challengeOf(await test.api.get(ME))).toBe('Bearer');
    expect(challengeOf(await test.api.get(ME, { token: 'garbage' }))).toBe('Bearer error="invalid_token"');
    expect(challengeOf(await refresh('x'.repeat(43)))).toBe('Bearer');
    expect(challengeOf(await test.api.get(ME, { token: tokenFor(test, await newSession(), -1) }))).toBe(
      'Bearer error="invalid_token"',
    );
    expect(challengeOf(await (await newSession()).api.get(ME))).toBeNull();
  });
});

describe('an access token', () => {
  it('is valid for 15 minutes and contains neither role nor name', async () => {
    const [header, claims] = partsOf((await newSession()).token);
    expect(header).toMatchObject({ alg: 'HS256', typ: 'JWT' });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(900);
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'sid', 'sub', 'tid']);
  });
});
