import { expectStatus, login, type Member, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { partsOf } from '../support/authorisation/forged-tokens';
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

describe('refreshing a session', () => {
  it('returns a new pair of tokens and stores only a hash', async () => {
    const member = await newSession();
    const answer = await refresh(member.refresh_token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.any(String),
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

  it('with a used token ends its session and no other', async () => {
    const [stolen, bystander] = [await newSession(), await newSession()];
    const next = await refresh(stolen.refresh_token);
    expectStatus(next, 200);
    expectFailure(await refresh(stolen.refresh_token), 401, { code: 'invalid_refresh_token' });
    expectFailure(await refresh(next.body.refresh_token), 401, { code: 'invalid_refresh_token' });
    expectFailure(await test.api.get(ME, { token: next.body.access_token }), 401, { code: 'session_ended' });
    expectStatus(await bystander.api.get(ME), 200);
    expectStatus(await refresh(bystander.refresh_token), 200);
  });

  it('returns one pair of tokens when a token is used several times at once', async () => {
    const { refresh_token } = await newSession();
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refresh_token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
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

describe('an access token', () => {
  it('is valid for 15 minutes and contains neither role nor name', async () => {
    const [header, claims] = partsOf((await newSession()).token);
    expect(header).toMatchObject({ alg: 'HS256', typ: 'JWT' });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(900);
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'sid', 'sub', 'tid']);
  });
});
