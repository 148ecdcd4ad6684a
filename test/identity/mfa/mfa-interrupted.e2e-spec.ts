import { createHash } from 'node:crypto';
import type { Answer } from '../../support/http/api';
import { expectStatus, type Member, TestTenant } from '../../support/builders';
import { asSuperuser } from '../../support/database/database';
import { expectFailure } from '../../support/database/failures';
import {
  type Authenticator,
  requestMfaToken,
  enrolledMember,
  logIn,
  MFA_PATH,
  advanceSteps,
  loginStateOf,
  verify,
} from '../../support/contexts/mfa';
import { closingSockets } from '../../support/sockets/connect-sockets';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';

let test: TestApp;
let tenant: TestTenant;
let member: Member;
let app: Authenticator;
const { open } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});

beforeEach(async () => ({ member, app } = await enrolledMember(test, tenant)));

afterAll(() => test.close());

const startLogin = () => requestMfaToken(test, tenant, member);
const setActive = async (active: boolean) =>
  expectStatus(await tenant.owner.api.put(`/api/v1/users/${member.id}`, { active }), 200);

/** Resets the password with a link whose token is inserted directly. */
async function resetPassword({ id }: Member, password: string): Promise<void> {
  const token = `link of ${id}`;
  await test.db.query(
    `INSERT INTO password_resets (tenant_id, user_id, token_hash, expires_at)
     SELECT tenant_id, id, $2, now() + interval '1 day' FROM users WHERE id = $1`,
    [id, createHash('sha256').update(token).digest('hex')],
  );
  expectStatus(await test.api.post('/api/auth/reset-password', { token, password }), 200);
}

describe('between the password and the code', () => {
  it('a deactivation prevents the login', async () => {
    const token = await startLogin();
    await setActive(false);
    const before = await loginStateOf(test, member);
    expectFailure(await verify(test, token, app.code()), 401);
    expectFailure(await verify(test, token, app.recovery_codes[0]), 401);
    expect(await loginStateOf(test, member)).toEqual({
      ...before,
      attempts: [2],
      refusals: ['inactive', 'inactive'],
    });
    expect(before.sessions).toBe(0);
    await setActive(true);
    expectStatus(await verify(test, await startLogin(), app.code()), 200);
  });

  it('a suspension of the tenant prevents the login', async () => {
    const other = await TestTenant.register(test);
    const enrolled = await enrolledMember(test, other);
    const token = await requestMfaToken(test, other, enrolled.member);
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [other.id]);
    const before = await loginStateOf(test, enrolled.member);
    expectFailure(await verify(test, token, enrolled.app.code()), 401);
    const after = { ...before, attempts: [1], refusals: ['inactive'] };
    expect(await loginStateOf(test, enrolled.member)).toEqual(after);
    expectFailure(await logIn(test, other, enrolled.member), 403, { code: 'tenant_suspended' });
  });

  it('a new password ends the attempt and keeps the second factor', async () => {
    const token = await startLogin();
    await resetPassword(member, 'another long passphrase');
    expectFailure(await verify(test, token, app.code()), 401, { code: 'invalid_mfa_token' });
    expect(await loginStateOf(test, member)).toMatchObject({
      mfa_enabled: true,
      sessions: 0,
      attempts: [],
      codes: 10,
    });
    expectFailure(await logIn(test, tenant, member), 401, { code: 'invalid_credentials' });
  });

  it('disabling MFA ends the attempt', async () => {
    const token = await startLogin();
    expectStatus(await member.api.delete(MFA_PATH, { body: { code: app.code() } }), 204);
    advanceSteps(test);
    expectFailure(await verify(test, token, app.code()), 401, { code: 'invalid_mfa_token' });
    expect((await loginStateOf(test, member)).sessions).toBe(1);
  });
});

/** Sends a request while another transaction holds a change of the user, and commits once the request waits for it. */
async function sendDuringUpdate(change: string, send: () => Promise<Answer>): Promise<Answer> {
  return asSuperuser(test.databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query(`UPDATE users SET ${change} WHERE id = $1`, [member.id]);
    const sent = send();
    await until(async () => {
      const { rows } = await test.db.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await client.query('COMMIT');
    return sent;
  });
}

describe('a concurrent change of the user', () => {
  const DEACTIVATION = 'active = false';
  const NEW_PASSWORD = `password_hash = 'another'`;

  it.each([
    ['a deactivation', DEACTIVATION],
    ['a new password', NEW_PASSWORD],
  ])('such as %s stops a login without a session or an attempt', async (_what, change) => {
    for (const user of [member, await tenant.member()]) {
      member = user;
      const before = await loginStateOf(test, member);
      const answer = await sendDuringUpdate(change, () => logIn(test, tenant, member));
      expectFailure(answer, 401, { code: 'invalid_credentials' });
      expect(await loginStateOf(test, member)).toEqual(before);
    }
  });

  it('such as a deactivation stops a code without a session', async () => {
    const token = await startLogin();
    const before = await loginStateOf(test, member);
    const answer = await sendDuringUpdate(DEACTIVATION, () => verify(test, token, app.code()));
    expectFailure(answer, 401);
    expect(await loginStateOf(test, member)).toEqual({ ...before, attempts: [1], refusals: ['inactive'] });
  });

  it('such as an enrolment makes a login require the code', async () => {
    member = await tenant.member();
    const answer = await sendDuringUpdate('mfa_enabled = true', () => logIn(test, tenant, member));
    expect(answer).toMatchObject({ status: 200, body: { mfa_required: true } });
    expect(await loginStateOf(test, member)).toMatchObject({ sessions: 1, attempts: [0] });
  });
});

describe('the token of an attempt', () => {
  it('is not accepted as an access token, a refresh token or a socket token', async () => {
    const token = await startLogin();
    const before = await loginStateOf(test, member);
    expectFailure(await test.api.get('/api/v1/users/me', { token }), 401, { code: 'unauthenticated' });
    expectFailure(await test.api.post('/api/auth/refresh', { refresh_token: token }), 401);
    expectFailure(
      await test.api.post('/api/auth/reset-password', { token, password: 'a long passphrase' }),
      422,
    );
    const socket = open(token);
    const error = await new Promise<{ data: unknown }>((resolve) => {
      socket.io.once('connect_error', (refusal) => resolve(refusal as never));
    });
    expect(error.data).toMatchObject({ code: 'token_invalid' });
    expect(await loginStateOf(test, member)).toEqual(before);
    expectStatus(await verify(test, token, app.code()), 200);
  });

  it.each<[string, (token: string) => unknown, number]>([
    ['unknown', () => 'x'.repeat(43), 401],
    ['cut short', (token) => token.slice(1), 401],
    ['an access token', () => member.token.slice(0, 200), 401],
    ['a whole access token', () => member.token, 401],
    ['a refresh token', () => member.refresh_token, 401],
    ['its own hash', (token) => createHash('sha256').update(token).digest('hex'), 401],
    ['empty', () => '', 422],
    ['missing', () => undefined, 422],
    ['null', () => null, 422],
    ['a number', () => 1, 422],
    ['a list', (token) => [token], 422],
    ['an object', () => ({ $ne: null }), 422],
  ])('is rejected if it is %s', async (_what, token, status) => {
    const own = await startLogin();
    const answer = await verify(test, token(own), app.code());
    if (status === 422) expectFailure(answer, 422, { field: 'mfa_token' });
    else expectFailure(answer, 401, { code: 'invalid_mfa_token' });
    expect(await loginStateOf(test, member)).toMatchObject({ sessions: 1, attempts: [0] });
  });
});
