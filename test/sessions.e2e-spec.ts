import { createHmac } from 'node:crypto';
import { Tokens } from '../src/platform/tokens/tokens';
import { expectStatus, login, type Member, PASSWORD, TestTenant } from './support/builders';
import { expectFailure } from './support/failures';
import { startTestApp, type TestApp } from './support/test-app';

const ME = '/api/v1/users/me';

let test: TestApp;
let tenant: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await TestTenant.register(test);
  other = await TestTenant.register(test, 'free');
});

afterAll(() => test.close());

const refresh = (refresh_token: unknown) => test.api.post('/api/auth/refresh', { refresh_token });
const newSession = (): Promise<Member> => login(test, tenant.slug, tenant.owner.email);

/** The header's bytes, as fetch wants them. */
const utf8 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const parts = (token: string) =>
  token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));

// Ageing the row, since moving the clock would end everybody's sessions.
const age = async ({ id }: Member, interval: string) => {
  await test.db.query(
    `UPDATE refresh_tokens r SET expires_at = r.expires_at - $2::interval FROM sessions s
     WHERE s.id = r.session_id AND s.user_id = $1`,
    [id, interval],
  );
};

describe('refreshing', () => {
  it('gives a new pair, and the row keeps a hash only', async () => {
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

  it('with a used token ends the whole family, and no other session', async () => {
    const [stolen, bystander] = [await newSession(), await newSession()];
    const next = await refresh(stolen.refresh_token);
    expectStatus(next, 200);
    expectFailure(await refresh(stolen.refresh_token), 401, { code: 'invalid_refresh_token' });
    expectFailure(await refresh(next.body.refresh_token), 401, { code: 'invalid_refresh_token' });
    expectFailure(await test.api.get(ME, { token: next.body.access_token }), 401, { code: 'session_ended' });
    expectStatus(await bystander.api.get(ME), 200);
    expectStatus(await refresh(bystander.refresh_token), 200);
  });

  it('gives at most one pair when a token is used several times at once', async () => {
    const { refresh_token } = await newSession();
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refresh_token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
  });

  it('works for 30 days and no longer', async () => {
    const member = await tenant.member();
    await age(member, '29 days 23:59:00');
    const next = await refresh(member.refresh_token);
    expectStatus(next, 200);
    await age(member, '30 days');
    expectFailure(await refresh(next.body.refresh_token), 401, { code: 'invalid_refresh_token' });
  });

  it.each([
    ['an unknown token', 'x'.repeat(43), 401],
    ['an empty one', '', 422],
    ['none', undefined, 422],
    ['one of the wrong type', ['a'], 422],
  ])('refuses %s', async (_what, token, status) => {
    expectFailure(await refresh(token), status);
  });

  it('refuses somebody who has been deactivated', async () => {
    const member = await tenant.member('attendant');
    expectStatus(await tenant.owner.api.put(`/api/v1/users/${member.id}`, { active: false }), 200);
    expectFailure(await refresh(member.refresh_token), 401);
  });
});

describe('logging out', () => {
  it('ends the session at once and leaves the others', async () => {
    const [leaving, staying] = [await newSession(), await newSession()];
    expectStatus(await leaving.api.get(ME), 200);
    const answer = await leaving.api.post('/api/auth/logout');
    expect(answer.status).toBe(204);
    expect(answer.body).toBe('');
    expectFailure(await leaving.api.get(ME), 401, { code: 'session_ended' });
    expectFailure(await refresh(leaving.refresh_token), 401);
    expectStatus(await staying.api.get(ME), 200);
  });

  it("ends the session of a refresh token, too, if it is the caller's", async () => {
    const [here, there] = [await newSession(), await newSession()];
    expectStatus(await here.api.post('/api/auth/logout', { refresh_token: there.refresh_token }), 204);
    expectFailure(await there.api.get(ME), 401);
    expectFailure(await refresh(there.refresh_token), 401);

    const mine = await newSession();
    const theirs = await login(test, other.slug, other.owner.email);
    expectStatus(await mine.api.post('/api/auth/logout', { refresh_token: theirs.refresh_token }), 204);
    expectStatus(await theirs.api.get(ME), 200);
  });

  it('wants a token', async () => {
    expectFailure(await test.api.post('/api/auth/logout', {}), 401);
  });
});

describe('X-Tenant', () => {
  it('may name the tenant by slug, name or id, in UTF-8 or Latin-1; any other is 403', async () => {
    const member = await newSession();
    await test.db.query(`UPDATE tenants SET name = 'Açaí & Cia' WHERE id = $1`, [tenant.id]);
    // The session's state is believed for 5 s.
    test.clock.advance(6);
    const send = (value: string) => member.api.get(ME, { headers: { 'x-tenant': value } });
    for (const name of [tenant.slug, tenant.id, utf8('Açaí & Cia'), 'Açaí & Cia', utf8('AÇAÍ & CIA')]) {
      expectStatus(await send(name), 200);
    }
    for (const name of [other.slug, other.name, other.id, utf8('Açai & Cia'), 'nowhere']) {
      expectFailure(await send(name), 403, { code: 'wrong_tenant' });
    }
  });
});

function forged(token: string, header: object, claims: object = {}, secret?: string): string {
  const [ownHeader, ownClaims] = parts(token);
  const body = `${encode({ ...ownHeader, ...header })}.${encode({ ...ownClaims, ...claims })}`;
  return `${body}.${secret ? createHmac('sha256', secret).update(body).digest('base64url') : ''}`;
}

describe('an access token', () => {
  it('lasts 15 minutes and tells neither role nor name', async () => {
    const [header, claims] = parts((await newSession()).token);
    expect(header).toMatchObject({ alg: 'HS256', typ: 'JWT' });
    expect(claims.exp - claims.iat).toBe(900);
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'sid', 'sub', 'tid']);
  });

  it('is refused when expired', async () => {
    const member = await newSession();
    const { sub, tid, sid } = parts(member.token)[1];
    const expired = test.get(Tokens).sign('staff', { sub, tid, sid }, -1);
    expectFailure(await test.api.get(ME, { token: expired }), 401, { code: 'token_expired' });
    expectStatus(
      await test.api.get(ME, { token: test.get(Tokens).sign('staff', { sub, tid, sid }, 60) }),
      200,
    );
  });

  it('is refused when it is not ours', async () => {
    const member = await newSession();
    const { token } = member;
    const link = await tenant.link((await tenant.department()).id);
    const { websocket_token } = await tenant.join(link);
    const signature = token.split('.')[2] ?? '';
    const { sub, tid, sid } = parts(token)[1];
    const bad: Record<string, string> = {
      'alg none': forged(token, { alg: 'none' }),
      'alg None': forged(token, { alg: 'None' }),
      'another secret': forged(token, {}, {}, 'a secret of my own, long enough'),
      'another key id': forged(token, { kid: 'x' }, {}, 'a secret of my own, long enough'),
      'key id of the prototype': forged(token, { kid: '__proto__' }, {}, ''),
      'other claims': `${forged(token, {}, { tid: other.id })}${signature}`,
      'a customer token': websocket_token,
      'made for customers': test.get(Tokens).sign('customer', { sub, tid, sid }, 60),
      'a refresh token': member.refresh_token,
      'a password': PASSWORD,
      rubbish: 'a.b.c',
      dots: '..',
    };
    for (const [what, given] of Object.entries(bad)) {
      const answer = await test.api.get(ME, { token: given });
      expect({ what, status: answer.status }).toEqual({ what, status: 401 });
      expectFailure(answer, 401);
    }
    for (const authorization of ['', 'Bearer', 'Bearer ', `Basic ${token}`, token]) {
      expectFailure(await test.api.get(ME, { headers: { authorization } }), 401);
    }
    expectStatus(await test.api.get(ME, { token }), 200);
  });
});
