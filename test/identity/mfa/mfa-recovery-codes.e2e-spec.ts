import { expectStatus, type Member, TestTenant } from '../../support/builders';
import { expectFailure } from '../../support/database/failures';
import {
  type Authenticator,
  requestMfaToken,
  enrol,
  enrolledMember,
  MFA_PATH,
  loginStateOf,
  verify,
} from '../../support/contexts/mfa';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';

describe('recovery codes', () => {
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

  const loginWith = async (code: unknown) => verify(test, await requestMfaToken(test, tenant, member), code);

  it('are ten, are valid for one login each and do not affect codes of the app', async () => {
    expect(app.recovery_codes).toHaveLength(10);
    const before = await loginStateOf(test, member);
    for (const [index, code] of app.recovery_codes.entries()) {
      expectStatus(await loginWith(code), 200);
      expectFailure(await loginWith(code), 401, { code: 'invalid_code' });
      expect(await loginStateOf(test, member)).toMatchObject({
        used_codes: index + 1,
        sessions: before.sessions + index + 1,
        mfa_last_step: before.mfa_last_step,
      });
    }
    expectStatus(await loginWith(app.code()), 200);
  });

  it.each<[string, (code: string) => string]>([
    ['in capitals', (code) => code.toUpperCase()],
    ['without dashes', (code) => code.replaceAll('-', '')],
    ['with spaces instead of dashes', (code) => code.replaceAll('-', ' ')],
    ['with spaces between all characters', (code) => ` ${[...code].join(' ')} `],
    ['with a zero instead of o', (code) => code.replaceAll('o', '0')],
    ['in capitals, with tabs', (code) => code.toUpperCase().replaceAll('-', '\t')],
  ])('are accepted %s', async (_how, written) => {
    // Prefers a code with an o, which at least one of the ten nearly always has.
    const code =
      app.recovery_codes.find((candidate) => candidate.includes('o')) ?? app.recovery_codes[0] ?? '';
    expectStatus(await loginWith(written(code)), 200);
    expectFailure(await loginWith(code), 401);
    expect((await loginStateOf(test, member)).used_codes).toBe(1);
  });

  it('are rejected with a missing, additional or different character', async () => {
    const code = app.recovery_codes[0] ?? '';
    const last = code.endsWith('a') ? 'b' : 'a';
    for (const similar of [code.slice(0, -1), `${code}a`, code.slice(0, -1) + last]) {
      expectFailure(await loginWith(similar), 401, { code: 'invalid_code' });
    }
    expect(await loginStateOf(test, member)).toMatchObject({ used_codes: 0, sessions: 1 });
  });

  it('are stored as hashes only', async () => {
    const { rows } = await test.db.query<{ row: string }>(
      `SELECT r::text AS row FROM recovery_codes r WHERE user_id = $1
       UNION ALL SELECT u::text FROM users u WHERE id = $1
       UNION ALL SELECT e::text FROM domain_events e WHERE subject_id = $1
       UNION ALL SELECT a::text FROM audit_log a WHERE subject_id = $1`,
      [member.id],
    );
    expect(rows.length).toBeGreaterThan(12);
    const text = rows.map(({ row }) => row.toLowerCase()).join('\n');
    for (const code of app.recovery_codes) {
      expect(text).not.toContain(code);
      expect(text).not.toContain(code.replaceAll('-', ''));
    }
    expect(text).not.toContain(app.secret.toLowerCase());
  });

  it('are replaced by those of the next enrolment', async () => {
    const [first, second] = app.recovery_codes;
    expectStatus(await member.api.delete(MFA_PATH, { body: { code: first } }), 204);
    const again = await enrol(test, member);
    expect(await loginStateOf(test, member)).toMatchObject({ codes: 10, used_codes: 0 });
    expectFailure(await loginWith(second), 401, { code: 'invalid_code' });
    expectStatus(await loginWith(again.recovery_codes[0]), 200);
  });

  it('do not confirm an enrolment', async () => {
    const fresh = await tenant.member();
    expectStatus(await fresh.api.post(MFA_PATH), 200);
    const code = app.recovery_codes[0];
    expectFailure(await fresh.api.post(`${MFA_PATH}/confirm`, { code }), 422, { field: 'code' });
    expect((await loginStateOf(test, fresh)).mfa_enabled).toBe(false);
  });
});
