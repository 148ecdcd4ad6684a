import { expectStatus, type Member, TestTenant } from '../../support/builders';
import { expectFailure } from '../../support/database/failures';
import {
  type Authenticator,
  challenge,
  codeOf,
  enrolledMember,
  MFA,
  nextStep,
  statuses,
  stepOf,
  storedOf,
  verify,
} from '../../support/contexts/mfa';
import { startTestApp, type TestApp } from '../../support/test-app';

const WRONG = { code: 'invalid_code' };

describe('logging in with a second factor', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let member: Member;
  let app: Authenticator;

  beforeAll(async () => {
    test = await startTestApp();
    tenant = await TestTenant.register(test);
  });

  beforeEach(async () => ({ member, app } = await enrolledMember(test, tenant)));

  afterAll(() => test.close());

  const begin = () => challenge(test, tenant, member);

  it('answers the password with a challenge that opens no session', async () => {
    const before = await storedOf(test, member);
    const token = await begin();
    expect(await storedOf(test, member)).toEqual({ ...before, attempts: [0] });
    const { rows } = await test.db.query('SELECT FROM mfa_attempts a WHERE strpos(a::text, $1) > 0', [token]);
    expect(rows).toEqual([]);
  });

  it('tells nobody with a wrong password that there is a second factor', async () => {
    const { email } = member;
    const guess = { tenant: tenant.slug, email, password: 'wrong' };
    expectFailure(await test.api.post('/api/auth/login', guess), 401, { code: 'invalid_credentials' });
    expect((await storedOf(test, member)).attempts).toEqual([]);
  });

  it('takes the code as apps show it, in two halves', async () => {
    const [first, second] = [app.code().slice(0, 3), app.code().slice(3)];
    expectStatus(await verify(test, await begin(), ` ${first} ${second} `), 200);
  });

  it('answers the code as a login, notes it, and ends the attempt', async () => {
    const before = await storedOf(test, member);
    const token = await begin();
    const answer = await verify(test, token, app.code());
    expect(answer.status).toBe(200);
    const { id, name, email } = member;
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.any(String),
      user: { id, name, email, role: 'attendant' },
    });
    const after = await storedOf(test, member);
    expect(after).toMatchObject({ sessions: before.sessions + 1, attempts: [], used_codes: 0, refusals: [] });
    expect(after.mfa_last_step).toBe(String(stepOf(test)));
    expect(Number(after.last_login_at)).toBeGreaterThan(Number(before.last_login_at));
    expectStatus(await test.api.get('/api/v1/users/me', { token: answer.body.access_token }), 200);
    const { refresh_token } = answer.body;
    expectStatus(await test.api.post('/api/auth/refresh', { refresh_token }), 200);
    expectFailure(await verify(test, token, app.recovery_codes[0]), 401, { code: 'invalid_mfa_token' });
  });

  it('refuses a wrong code, and takes the right one after it', async () => {
    const before = await storedOf(test, member);
    const token = await begin();
    expectFailure(await verify(test, token, app.wrong()), 401, WRONG);
    expect(await storedOf(test, member)).toEqual({ ...before, attempts: [1], refusals: ['wrong_code'] });
    expectStatus(await verify(test, token, app.code()), 200);
  });

  it("refuses somebody else's code, and codes of no shape", async () => {
    const token = await begin();
    const other = await enrolledMember(test, tenant);
    const codes = [other.app.code(), other.app.recovery_codes[0], '１２３４５６', `${app.code()}0`];
    for (const code of codes) expectFailure(await verify(test, token, code), 401, WRONG);
    expect(await storedOf(test, other.member)).toMatchObject({ used_codes: 0, refusals: [] });
  });

  it.each([
    [-2, 401],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 401],
  ])('takes the code of a clock that is %d steps off: %d', async (steps, status) => {
    // Away from the step of the confirmation, before which nothing is good.
    nextStep(test, 5);
    const before = await storedOf(test, member);
    const step = stepOf(test) + steps;
    const answer = await verify(test, await begin(), app.code(steps));
    expect(answer.status).toBe(status);
    expect(await storedOf(test, member)).toMatchObject({
      sessions: status === 200 ? 2 : 1,
      mfa_last_step: status === 200 ? String(step) : before.mfa_last_step,
    });
  });

  it('takes each code once: not the one that confirmed', async () => {
    const fresh = await tenant.member();
    nextStep(test);
    const { secret } = (await fresh.api.post(MFA)).body.data;
    const code = codeOf(test, secret);
    expectStatus(await fresh.api.post(`${MFA}/confirm`, { code }), 200);
    expectFailure(await verify(test, await challenge(test, tenant, fresh), code), 401, WRONG);
    expect((await storedOf(test, fresh)).sessions).toBe(1);
  });

  it('takes each code once: not in two attempts, and none before it', async () => {
    nextStep(test, 5);
    expectStatus(await verify(test, await begin(), app.code()), 200);
    const token = await begin();
    expectFailure(await verify(test, token, app.code()), 401, WRONG);
    expectFailure(await verify(test, token, app.code(-1)), 401, WRONG);
    expect((await storedOf(test, member)).sessions).toBe(2);
    expectStatus(await verify(test, token, app.code(1)), 200);
  });

  it('takes each code once: of turning MFA off and a login, either', async () => {
    const code = app.code();
    expectStatus(await verify(test, await begin(), code), 200);
    expectFailure(await member.api.delete(MFA, { body: { code } }), 422, { field: 'code' });
    expect((await storedOf(test, member)).mfa_enabled).toBe(true);
  });

  it('lets one in of eight with one code, each with an attempt of their own', async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, begin));
    const code = app.code();
    const answers = await Promise.all(tokens.map((token) => verify(test, token, code)));
    expect(statuses(answers)).toEqual({ 200: 1, 401: 7 });
    expect(await storedOf(test, member)).toMatchObject({
      sessions: 2,
      attempts: Array(7).fill(1),
      refusals: Array(7).fill('wrong_code'),
    });
  });

  it.each([
    ['code of the app', () => app.code(), 0],
    ['recovery code', () => app.recovery_codes[0], 1],
  ])('lets one in of eight with one attempt and one %s', async (_what, code, used) => {
    const token = await begin();
    const answers = await Promise.all(Array.from({ length: 8 }, () => verify(test, token, code())));
    expect(statuses(answers)).toEqual({ 200: 1, 401: 7 });
    expect(await storedOf(test, member)).toMatchObject({ sessions: 2, attempts: [], used_codes: used });
  });

  it('lets one in of five with one attempt and a right code each, and uses up no other code', async () => {
    const token = await begin();
    const codes = [app.code(), ...app.recovery_codes.slice(0, 4)];
    const answers = await Promise.all(codes.map((code) => verify(test, token, code)));
    expect(statuses(answers)).toEqual({ 200: 1, 401: 4 });
    const stored = await storedOf(test, member);
    expect(stored).toMatchObject({ sessions: 2, attempts: [] });
    const appWon = stored.mfa_last_step === String(stepOf(test));
    expect(stored.used_codes).toBe(appWon ? 0 : 1);
  });
});
