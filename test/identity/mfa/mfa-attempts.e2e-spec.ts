import { expectStatus, type Member, TestTenant } from '../../support/builders';
import { expectFailure } from '../../support/database/failures';
import {
  type Authenticator,
  requestMfaToken,
  enrolledMember,
  MFA_PATH,
  advanceSteps,
  countByStatus,
  loginStateOf,
  verify,
} from '../../support/contexts/mfa';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';
import { expectThrottled } from '../../support/contexts/throttling';

const INVALID_TOKEN = { code: 'invalid_mfa_token' };
const HOUR_SECONDS = 3600;

describe('attempts to enter the second factor', () => {
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

  /** Enters wrong codes, five for each login. */
  async function enterWrongCodes(times: number, wrongCode = () => app.wrongCode()): Promise<void> {
    let token = '';
    for (let n = 0; n < times; n++) {
      if (n % 5 === 0) token = await startLogin();
      expectFailure(await verify(test, token, wrongCode()), 401, { code: 'invalid_code' });
    }
  }

  it('end after five wrong codes, even if the sixth is right, and the next login starts again at zero', async () => {
    const token = await startLogin();
    for (let n = 1; n <= 5; n++) {
      expectFailure(await verify(test, token, app.wrongCode()), 401, { code: 'invalid_code' });
      expect((await loginStateOf(test, member)).attempts).toEqual([n]);
    }
    expectFailure(await verify(test, token, app.code()), 401, INVALID_TOKEN);
    expectFailure(await verify(test, token, app.recovery_codes[0]), 401, INVALID_TOKEN);
    expect(await loginStateOf(test, member)).toMatchObject({ sessions: 1, attempts: [5], used_codes: 0 });
    expectStatus(await verify(test, await startLogin(), app.code()), 200);
    expect((await loginStateOf(test, member)).sessions).toBe(2);
  });

  it('accept the right code as the fifth', async () => {
    const token = await startLogin();
    for (let n = 1; n <= 4; n++) expectFailure(await verify(test, token, app.wrongCode()), 401);
    expectStatus(await verify(test, token, app.code()), 200);
  });

  it('check at most five codes, even if twenty arrive at once', async () => {
    const token = await startLogin();
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(test, token, app.wrongCode())));
    expect(countByStatus(answers)).toEqual({ 401: 20 });
    const checked = answers.filter(({ body }) => body.errors.code === 'invalid_code');
    expect(checked).toHaveLength(5);
    expect(await loginStateOf(test, member)).toMatchObject({
      attempts: [5],
      refusals: Array(5).fill('wrong_code'),
    });
    expectFailure(await verify(test, token, app.code()), 401, INVALID_TOKEN);
  });

  it('expire after 5 minutes', async () => {
    const token = await startLogin();
    const late = await startLogin();
    test.clock.advance(280);
    expectStatus(await verify(test, token, app.code()), 200);
    test.clock.advance(21);
    advanceSteps(test);
    const before = await loginStateOf(test, member);
    expectFailure(await verify(test, late, app.code()), 401, INVALID_TOKEN);
    expect(await loginStateOf(test, member)).toEqual(before);
    expectStatus(await verify(test, await startLogin(), app.code()), 200);
  });

  it('belong to one login and do not end another one', async () => {
    const [first, second] = [await startLogin(), await startLogin()];
    expectStatus(await verify(test, first, app.code()), 200);
    expectFailure(await verify(test, first, app.code(1)), 401, INVALID_TOKEN);
    expectStatus(await verify(test, second, app.code(1)), 200);
  });

  it('are limited to twenty wrong codes of the app an hour per user, then rejected with 429', async () => {
    const other = await enrolledMember(test, tenant);
    await enterWrongCodes(20);
    const token = await startLogin();
    expectThrottled(await verify(test, token, app.code()), HOUR_SECONDS);
    expectThrottled(await member.api.delete(MFA_PATH, { body: { code: app.code() } }), HOUR_SECONDS);
    expect(await loginStateOf(test, member)).toMatchObject({ mfa_enabled: true, sessions: 1, used_codes: 0 });
    expectStatus(
      await verify(test, await requestMfaToken(test, tenant, other.member), other.app.code()),
      200,
    );
  });

  it('leave recovery codes an allowance of their own, and a right one ends the limit of the app', async () => {
    await enterWrongCodes(20);
    const token = await startLogin();
    expectThrottled(await verify(test, token, app.code()), HOUR_SECONDS);
    expectStatus(await verify(test, token, app.recovery_codes[0]), 200);
    expectStatus(await verify(test, await startLogin(), app.code()), 200);
  });

  it('are limited to twenty wrong recovery codes an hour per user, which leaves the app usable', async () => {
    await enterWrongCodes(20, () => 'aaaa-bbbb-cccc-dddd');
    const token = await startLogin();
    expectThrottled(await verify(test, token, app.recovery_codes[0]), HOUR_SECONDS);
    expectThrottled(
      await member.api.delete(MFA_PATH, { body: { code: app.recovery_codes[0] } }),
      HOUR_SECONDS,
    );
    expect(await loginStateOf(test, member)).toMatchObject({ mfa_enabled: true, sessions: 1, used_codes: 0 });
    expectStatus(await verify(test, token, app.code()), 200);
  });

  it('are counted from zero after a right code', async () => {
    await enterWrongCodes(19);
    expectStatus(await verify(test, await startLogin(), app.code()), 200);
    advanceSteps(test);
    await enterWrongCodes(19);
    expectStatus(await verify(test, await startLogin(), app.code()), 200);
  });

  it('include wrong codes for disabling MFA', async () => {
    for (let n = 0; n < 20; n++) {
      expectFailure(await member.api.delete(MFA_PATH, { body: { code: app.wrongCode() } }), 422, {
        field: 'code',
      });
    }
    expectThrottled(await member.api.delete(MFA_PATH, { body: { code: app.code() } }), HOUR_SECONDS);
    expectThrottled(await verify(test, await startLogin(), app.code()), HOUR_SECONDS);
    expect(await loginStateOf(test, member)).toMatchObject({ mfa_enabled: true, sessions: 1 });
  });
});
