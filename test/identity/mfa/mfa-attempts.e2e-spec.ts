import { expectStatus, type Member, TestTenant } from '../../support/builders';
import { expectFailure } from '../../support/database/failures';
import {
  type Authenticator,
  challenge,
  enrolledMember,
  MFA,
  nextStep,
  statuses,
  storedOf,
  verify,
} from '../../support/contexts/mfa';
import { startTestApp, type TestApp } from '../../support/test-app';
import { expectThrottled } from '../../support/contexts/throttling';

const ENDED = { code: 'invalid_mfa_token' };
const HOUR = 3600;

describe('attempts at the second factor', () => {
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

  /** Wrong codes, five to an attempt. */
  async function guess(times: number): Promise<void> {
    let token = '';
    for (let n = 0; n < times; n++) {
      if (n % 5 === 0) token = await begin();
      expectFailure(await verify(test, token, app.wrong()), 401, { code: 'invalid_code' });
    }
  }

  it('end after five wrong codes, though the sixth is right; the next login starts afresh', async () => {
    const token = await begin();
    for (let n = 1; n <= 5; n++) {
      expectFailure(await verify(test, token, app.wrong()), 401, { code: 'invalid_code' });
      expect((await storedOf(test, member)).attempts).toEqual([n]);
    }
    expectFailure(await verify(test, token, app.code()), 401, ENDED);
    expectFailure(await verify(test, token, app.recovery_codes[0]), 401, ENDED);
    expect(await storedOf(test, member)).toMatchObject({ sessions: 1, attempts: [5], used_codes: 0 });
    expectStatus(await verify(test, await begin(), app.code()), 200);
    expect((await storedOf(test, member)).sessions).toBe(2);
  });

  it('take the right code as the fifth', async () => {
    const token = await begin();
    for (let n = 1; n <= 4; n++) expectFailure(await verify(test, token, app.wrong()), 401);
    expectStatus(await verify(test, token, app.code()), 200);
  });

  it('look at five codes at most, also of twenty at once', async () => {
    const token = await begin();
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(test, token, app.wrong())));
    expect(statuses(answers)).toEqual({ 401: 20 });
    const looked = answers.filter(({ body }) => body.errors.code === 'invalid_code');
    expect(looked).toHaveLength(5);
    expect(await storedOf(test, member)).toMatchObject({
      attempts: [5],
      refusals: Array(5).fill('wrong_code'),
    });
    expectFailure(await verify(test, token, app.code()), 401, ENDED);
  });

  it('expire after 5 minutes', async () => {
    const token = await begin();
    const late = await begin();
    test.clock.advance(299);
    expectStatus(await verify(test, token, app.code()), 200);
    test.clock.advance(1.5);
    nextStep(test);
    const before = await storedOf(test, member);
    expectFailure(await verify(test, late, app.code()), 401, ENDED);
    expect(await storedOf(test, member)).toEqual(before);
    expectStatus(await verify(test, await begin(), app.code()), 200);
  });

  it('belong to one login: a used one does not end another', async () => {
    const [first, second] = [await begin(), await begin()];
    expectStatus(await verify(test, first, app.code()), 200);
    expectFailure(await verify(test, first, app.code(1)), 401, ENDED);
    expectStatus(await verify(test, second, app.code(1)), 200);
  });

  it('of one user give twenty wrong codes an hour, then 429; others are not affected', async () => {
    const other = await enrolledMember(test, tenant);
    await guess(20);
    const token = await begin();
    expectThrottled(await verify(test, token, app.code()), HOUR);
    expectThrottled(await verify(test, token, app.recovery_codes[0]), HOUR);
    expectThrottled(await member.api.delete(MFA, { body: { code: app.code() } }), HOUR);
    expect(await storedOf(test, member)).toMatchObject({ mfa_enabled: true, sessions: 1, used_codes: 0 });
    expectStatus(await verify(test, await challenge(test, tenant, other.member), other.app.code()), 200);
  });

  it('are forgiven by a right code', async () => {
    await guess(19);
    expectStatus(await verify(test, await begin(), app.code()), 200);
    nextStep(test);
    await guess(19);
    expectStatus(await verify(test, await begin(), app.code()), 200);
  });

  it('count wrong codes of turning MFA off, too', async () => {
    for (let n = 0; n < 20; n++) {
      expectFailure(await member.api.delete(MFA, { body: { code: app.wrong() } }), 422, { field: 'code' });
    }
    expectThrottled(await member.api.delete(MFA, { body: { code: app.code() } }), HOUR);
    expectThrottled(await verify(test, await begin(), app.code()), HOUR);
    expect(await storedOf(test, member)).toMatchObject({ mfa_enabled: true, sessions: 1 });
  });
});
