import { expectStatus, type Member, TestTenant } from '../../support/builders';
import { expectFailure } from '../../support/database/failures';
import {
  type Authenticator,
  requestMfaToken,
  codeOf,
  enrolledMember,
  MFA_PATH,
  advanceSteps,
  countByStatus,
  currentStep,
  loginStateOf,
  verify,
} from '../../support/contexts/mfa';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';

const WRONG_CODE = { code: 'invalid_code' };

describe('logging in with a second factor', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let member: Member;
  let app: Authenticator;

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
  });

  beforeEach(async () => ({ member, app } = await enrolledMember(test, tenant)));

  afterAll(() => test.close());

  const startLogin = () => requestMfaToken(test, tenant, member);

  it('returns a challenge for the password and opens no session', async () => {
    const before = await loginStateOf(test, member);
    const token = await startLogin();
    expect(await loginStateOf(test, member)).toEqual({ ...before, attempts: [0] });
    const { rows } = await test.db.query('SELECT FROM mfa_attempts a WHERE strpos(a::text, $1) > 0', [token]);
    expect(rows).toEqual([]);
  });

  it('does not reveal the second factor to a wrong password', async () => {
    const { email } = member;
    const guess = { tenant: tenant.slug, email, password: 'wrong' };
    expectFailure(await test.api.post('/api/auth/login', guess), 401, { code: 'invalid_credentials' });
    expect((await loginStateOf(test, member)).attempts).toEqual([]);
  });

  it('accepts a code with spaces, as apps display it', async () => {
    const [first, second] = [app.code().slice(0, 3), app.code().slice(3)];
    expectStatus(await verify(test, await startLogin(), ` ${first} ${second} `), 200);
  });

  it('returns tokens for the code, records it and ends the attempt', async () => {
    const before = await loginStateOf(test, member);
    const token = await startLogin();
    const answer = await verify(test, token, app.code());
    expect(answer.status).toBe(200);
    const { id, name, email } = member;
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expires_in: 900,
      refresh_token: expect.any(String),
      user: { id, name, email, role: 'attendant' },
    });
    const after = await loginStateOf(test, member);
    expect(after).toMatchObject({ sessions: before.sessions + 1, attempts: [], used_codes: 0, refusals: [] });
    expect(after.mfa_last_step).toBe(String(currentStep(test)));
    expect(Number(after.last_login_at)).toBeGreaterThan(Number(before.last_login_at));
    expectStatus(await test.api.get('/api/v1/users/me', { token: answer.body.access_token }), 200);
    const { refresh_token } = answer.body;
    expectStatus(await test.api.post('/api/auth/refresh', { refresh_token }), 200);
    expectFailure(await verify(test, token, app.recovery_codes[0]), 401, { code: 'invalid_mfa_token' });
  });

  it('rejects a wrong code and accepts the right one after it', async () => {
    const before = await loginStateOf(test, member);
    const token = await startLogin();
    expectFailure(await verify(test, token, app.wrongCode()), 401, WRONG_CODE);
    expect(await loginStateOf(test, member)).toEqual({ ...before, attempts: [1], refusals: ['wrong_code'] });
    expectStatus(await verify(test, token, app.code()), 200);
  });

  it("rejects another user's code and malformed codes", async () => {
    const token = await startLogin();
    const other = await enrolledMember(test, tenant);
    const codes = [other.app.code(), other.app.recovery_codes[0], '１２３４５６', `${app.code()}0`];
    for (const code of codes) expectFailure(await verify(test, token, code), 401, WRONG_CODE);
    expect(await loginStateOf(test, other.member)).toMatchObject({ used_codes: 0, refusals: [] });
  });

  it.each([
    [-2, 401],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 401],
  ])('answers a code that is %d steps off with %d', async (steps, status) => {
    // Codes up to the step of the confirmation are rejected, so the clock moves past it.
    advanceSteps(test, 5);
    const before = await loginStateOf(test, member);
    const step = currentStep(test) + steps;
    const answer = await verify(test, await startLogin(), app.code(steps));
    expect(answer.status).toBe(status);
    expect(await loginStateOf(test, member)).toMatchObject({
      sessions: status === 200 ? 2 : 1,
      mfa_last_step: status === 200 ? String(step) : before.mfa_last_step,
    });
  });

  it('rejects the code that confirmed the enrolment', async () => {
    const fresh = await tenant.member();
    advanceSteps(test);
    const { secret } = (await fresh.api.post(MFA_PATH)).body.data;
    const code = codeOf(test, secret);
    expectStatus(await fresh.api.post(`${MFA_PATH}/confirm`, { code }), 200);
    expectFailure(await verify(test, await requestMfaToken(test, tenant, fresh), code), 401, WRONG_CODE);
    expect((await loginStateOf(test, fresh)).sessions).toBe(1);
  });

  it('rejects a code that another attempt used, and older codes', async () => {
    advanceSteps(test, 5);
    expectStatus(await verify(test, await startLogin(), app.code()), 200);
    const token = await startLogin();
    expectFailure(await verify(test, token, app.code()), 401, WRONG_CODE);
    expectFailure(await verify(test, token, app.code(-1)), 401, WRONG_CODE);
    expect((await loginStateOf(test, member)).sessions).toBe(2);
    expectStatus(await verify(test, token, app.code(1)), 200);
  });

  it('rejects a code of a login for disabling MFA', async () => {
    const code = app.code();
    expectStatus(await verify(test, await startLogin(), code), 200);
    expectFailure(await member.api.delete(MFA_PATH, { body: { code } }), 422, { field: 'code' });
    expect((await loginStateOf(test, member)).mfa_enabled).toBe(true);
  });

  it('accepts one of eight concurrent attempts with the same code', async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, startLogin));
    const code = app.code();
    const answers = await Promise.all(tokens.map((token) => verify(test, token, code)));
    expect(countByStatus(answers)).toEqual({ 200: 1, 401: 7 });
    expect(await loginStateOf(test, member)).toMatchObject({
      sessions: 2,
      attempts: Array(7).fill(1),
      refusals: Array(7).fill('wrong_code'),
    });
  });

  it.each([
    ['code of the app', () => app.code(), 0],
    ['recovery code', () => app.recovery_codes[0], 1],
  ])(
    'accepts one of eight concurrent requests with one attempt and the same %s',
    async (_what, code, used) => {
      const token = await startLogin();
      const answers = await Promise.all(Array.from({ length: 8 }, () => verify(test, token, code())));
      expect(countByStatus(answers)).toEqual({ 200: 1, 401: 7 });
      expect(await loginStateOf(test, member)).toMatchObject({ sessions: 2, attempts: [], used_codes: used });
    },
  );

  it('accepts one of five concurrent requests with one attempt and different right codes, and uses no other code', async () => {
    const token = await startLogin();
    const codes = [app.code(), ...app.recovery_codes.slice(0, 4)];
    const answers = await Promise.all(codes.map((code) => verify(test, token, code)));
    expect(countByStatus(answers)).toEqual({ 200: 1, 401: 4 });
    const stored = await loginStateOf(test, member);
    expect(stored).toMatchObject({ sessions: 2, attempts: [] });
    const appWon = stored.mfa_last_step === String(currentStep(test));
    expect(stored.used_codes).toBe(appWon ? 0 : 1);
  });
});
