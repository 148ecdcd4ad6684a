import { SecretResealer } from '../../../src/platform/secrets/secret-resealer';
import { expectStatus, login, type Member, TestTenant } from '../../support/builders';
import { cloneDatabase } from '../../support/database/database';
import { expectFailure } from '../../support/database/failures';
import {
  type Authenticator,
  requestMfaToken,
  codeOf,
  type Enrolled,
  enrolledMember,
  MFA_PATH,
  advanceSteps,
  currentStep,
  loginStateOf,
  verify,
} from '../../support/contexts/mfa';
import { tablesContaining } from '../../support/contexts/password-links';
import { sharedTestApp } from '../../support/shared-app';
import { startTestApp, type TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const KEY_A = 'a'.repeat(32);
const KEY_B = 'b'.repeat(32);
const KEY_C = 'c'.repeat(32);

const sealedSecretOf = async (test: TestApp, member: Member): Promise<string> =>
  (await loginStateOf(test, member)).mfa_secret ?? '';

/** The prefix that identifies the key of a sealed secret. */
const prefixOf = (sealed: string) => sealed.split('.')[0];

/** Collects every line that the application logs from now on. */
function captureLog({ app }: TestApp): string[] {
  const lines: string[] = [];
  const addLine = (...parts: unknown[]) => void lines.push(parts.map(String).join(' '));
  app.useLogger({
    log: addLine,
    error: addLine,
    warn: addLine,
    debug: addLine,
    verbose: addLine,
    fatal: addLine,
  });
  return lines;
}

describe('the secret in the database', () => {
  let test: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
  });

  afterAll(() => test.close());

  it('is never stored as plain text, whether proposed, confirmed or deleted', async () => {
    const member = await tenant.member();
    const { secret } = (await member.api.post(MFA_PATH)).body.data;
    const { mfa_secret } = await loginStateOf(test, member);
    expect(await tablesContaining(test, mfa_secret ?? '')).toEqual(['public.users']);
    expect(await tablesContaining(test, secret)).toEqual([]);
    expectStatus(await member.api.post(`${MFA_PATH}/confirm`, { code: codeOf(test, secret) }), 200);
    advanceSteps(test);
    expectStatus(await verify(test, await requestMfaToken(test, tenant, member), codeOf(test, secret)), 200);
    expect(await tablesContaining(test, secret)).toEqual([]);
    advanceSteps(test);
    expectStatus(await member.api.delete(MFA_PATH, { body: { code: codeOf(test, secret) } }), 204);
    expect(await tablesContaining(test, mfa_secret ?? '')).toEqual([]);
  });

  it('cannot be opened for another user: codes are rejected, recovery codes still work', async () => {
    const [attacker, victim] = [await enrolledMember(test, tenant), await enrolledMember(test, tenant)];
    await test.db.query('UPDATE users SET mfa_secret = $2 WHERE id = $1', [
      victim.member.id,
      await sealedSecretOf(test, attacker.member),
    ]);
    const lines = captureLog(test);
    const token = await requestMfaToken(test, tenant, victim.member);
    for (const { app } of [attacker, victim]) {
      expectFailure(await verify(test, token, app.code()), 401, { code: 'invalid_code' });
    }
    expect((await loginStateOf(test, victim.member)).sessions).toBe(1);
    expect(
      lines.filter((line) => line.includes('SealError') && line.includes(victim.member.id)),
    ).toHaveLength(2);
    for (const { app } of [attacker, victim]) expect(lines.join('\n')).not.toContain(app.secret);
    expectStatus(await verify(test, token, victim.app.recovery_codes[0]), 200);
    const code = victim.app.recovery_codes[1];
    expectStatus(await victim.member.api.delete(MFA_PATH, { body: { code } }), 204);
    expectStatus(
      await verify(test, await requestMfaToken(test, tenant, attacker.member), attacker.app.code()),
      200,
    );
  });
});

describe('a change of ENCRYPTION_KEY', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let tenant: TestTenant;
  let enrolled: Enrolled;
  let proposing: Member;
  let proposed: string;
  let undecryptable: Enrolled;
  let lastStep = 0;
  let before: string;

  /** Runs `work` on an application with this key on the shared database, at a TOTP step that was not used before. */
  async function withKey<T>(ENCRYPTION_KEY: string, work: (test: TestApp) => Promise<T>): Promise<T> {
    const test = await startTestApp({ databaseUrl: database.url, env: { ENCRYPTION_KEY } });
    try {
      advanceSteps(test, Math.max(1, lastStep - currentStep(test) + 1));
      const result = await work(test);
      lastStep = currentStep(test);
      return result;
    } finally {
      await test.close();
    }
  }

  beforeAll(async () => {
    database = await cloneDatabase();
    await withKey(KEY_A, async (test) => {
      tenant = await TestTenant.register(test);
      enrolled = await enrolledMember(test, tenant);
      undecryptable = await enrolledMember(test, tenant);
      proposing = await tenant.member();
      proposed = (await proposing.api.post(MFA_PATH)).body.data.secret;
      before = await sealedSecretOf(test, enrolled.member);
      // No key opens this secret. The other rows are updated, so that a scan finds this one first.
      await test.db.query('UPDATE users SET mfa_secret = $2 WHERE id = $1', [
        undecryptable.member.id,
        'old.rubbish',
      ]);
      await test.db.query('UPDATE users SET name = name WHERE id <> $1', [undecryptable.member.id]);
    });
  });

  afterAll(() => database.drop());

  const loginOn = async (test: TestApp, { member, app }: { member: Member; app: Authenticator }) =>
    verify(test, await requestMfaToken(test, tenant, member), codeOf(test, app.secret));

  it('reseals all secrets with the new key, after which the old key can be removed', async () => {
    const resealed = await withKey(`${KEY_B},${KEY_A}`, async (test) => {
      expectStatus(await loginOn(test, enrolled), 200);
      const sealed = await until(async () => {
        const now = await sealedSecretOf(test, enrolled.member);
        return prefixOf(now) !== prefixOf(before) && now;
      });
      await until(async () => prefixOf(await sealedSecretOf(test, proposing)) === prefixOf(sealed));
      expect(await sealedSecretOf(test, undecryptable.member)).toBe('old.rubbish');
      return sealed;
    });
    await withKey(KEY_B, async (test) => {
      expectStatus(await loginOn(test, enrolled), 200);
      const code = codeOf(test, proposed);
      const { api } = await login(test, tenant.slug, proposing.email);
      expectStatus(await api.post(`${MFA_PATH}/confirm`, { code }), 200);
      // A secret that the first key sealed is not resealed.
      expect(await sealedSecretOf(test, enrolled.member)).toBe(resealed);
    });
  });

  it('without the old key rejects codes of the app and logs the reason, which the response does not reveal', async () => {
    await withKey(KEY_C, async (test) => {
      const stored = await loginStateOf(test, enrolled.member);
      const lines = captureLog(test);
      const token = await requestMfaToken(test, tenant, enrolled.member);
      const answer = await verify(test, token, codeOf(test, enrolled.app.secret));
      expectFailure(answer, 401, { code: 'invalid_code' });
      expect(JSON.stringify(answer.body)).not.toMatch(/key|seal|secret/i);
      expect(await loginStateOf(test, enrolled.member)).toMatchObject({
        sessions: stored.sessions,
        mfa_secret: stored.mfa_secret,
      });
      expect(lines.filter((line) => line.startsWith('SealError: No ENCRYPTION_KEY'))).toHaveLength(1);
      // Resealing runs at startup, before the log is captured, so it is started again.
      test.get(SecretResealer).onApplicationBootstrap();
      const warning = /No ENCRYPTION_KEY opens \d × mfa_secret of users/;
      await until(() => lines.some((line) => warning.test(line)));
      expect(await sealedSecretOf(test, enrolled.member)).toBe(stored.mfa_secret);
      expectStatus(await verify(test, token, enrolled.app.recovery_codes[0]), 200);
    });
  });
});
