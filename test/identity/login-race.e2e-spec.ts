import { PasswordHasher } from '../../src/identity/users/password-hasher';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { logIn, loginStateOf } from '../support/contexts/mfa';
import { expectFailure } from '../support/database/failures';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let member: Member;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});

beforeEach(async () => {
  member = await tenant.member();
});

afterEach(() => jest.restoreAllMocks());

afterAll(() => test.close());

/** Executes the assignment of the member's row once, after the next password was verified. */
function changeAfterVerification(assignment: string): void {
  const hasher = test.get(PasswordHasher);
  const matches = hasher.matches.bind(hasher);
  jest.spyOn(hasher, 'matches').mockImplementationOnce(async (hash, password) => {
    const isRight = await matches(hash, password);
    await test.db.query(`UPDATE users SET ${assignment} WHERE id = $1`, [member.id]);
    return isRight;
  });
}

/** What a login of the member writes. */
async function written() {
  const { rows } = await test.db.query(
    `SELECT (SELECT count(*)::int FROM sessions WHERE user_id = $1) AS sessions,
       (SELECT count(*)::int FROM mfa_attempts WHERE user_id = $1) AS attempts,
       (SELECT count(*)::int FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id WHERE s.user_id = $1) AS tokens,
       (SELECT count(*)::int FROM login_addresses WHERE user_id = $1) AS addresses,
       (SELECT count(*)::int FROM domain_events WHERE subject_id = $1 AND type = 'login.succeeded') AS events,
       (SELECT count(*)::int FROM audit_log WHERE subject_id = $1 AND action = 'login.succeeded') AS audited`,
    [member.id],
  );
  return rows[0];
}

describe('a login during whose verification the account changes', () => {
  it.each([
    ['it is deactivated', 'active = false'],
    ['its password changes', `password_hash = password_hash || ' '`],
    ['MFA is enabled and it is deactivated', 'mfa_enabled = true, active = false'],
  ])('is refused without a trace if %s', async (_title, assignment) => {
    const [before, { last_login_at }] = [await written(), await loginStateOf(test, member)];
    changeAfterVerification(assignment);
    expectFailure(await logIn(test, tenant, member), 401, { code: 'invalid_credentials' });
    expect(await written()).toEqual(before);
    expect(await loginStateOf(test, member)).toMatchObject({ last_login_at });
  });

  it('needs the second factor if MFA is enabled', async () => {
    const before = await written();
    changeAfterVerification('mfa_enabled = true');
    const answer = await logIn(test, tenant, member);
    expectStatus(answer, 200);
    expect(answer.body).toEqual({ mfa_required: true, mfa_token: expect.any(String) });
    expect(await written()).toEqual({ ...before, attempts: 1 });
  });

  it('needs no second factor if MFA is disabled', async () => {
    const before = await written();
    await test.db.query('UPDATE users SET mfa_enabled = true WHERE id = $1', [member.id]);
    changeAfterVerification('mfa_enabled = false');
    const answer = await logIn(test, tenant, member);
    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({ access_token: expect.any(String), user: { id: member.id } });
    expect(await written()).toEqual({
      attempts: 0,
      sessions: before.sessions + 1,
      tokens: before.tokens + 1,
      addresses: 1,
      events: before.events + 1,
      audited: before.audited + 1,
    });
  });
});
