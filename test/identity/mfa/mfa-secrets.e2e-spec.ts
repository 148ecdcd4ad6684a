import { SecretResealer } from '../../../src/platform/secrets/secret-resealer';
import { expectStatus, login, type Member, TestTenant } from '../../support/builders';
import { cloneDatabase } from '../../support/database/database';
import { expectFailure } from '../../support/database/failures';
import {
  type Authenticator,
  challenge,
  codeOf,
  type Enrolled,
  enrolledMember,
  MFA,
  nextStep,
  stepOf,
  storedOf,
  verify,
} from '../../support/contexts/mfa';
import { tablesWith } from '../../support/contexts/password-links';
import { startTestApp, type TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const KEY_A = 'a'.repeat(32);
const KEY_B = 'b'.repeat(32);
const KEY_C = 'c'.repeat(32);

const sealedOf = async (test: TestApp, member: Member): Promise<string> =>
  (await storedOf(test, member)).mfa_secret ?? '';

/** Which key sealed it. */
const prefixOf = (sealed: string) => sealed.split('.')[0];

/** Every line that the application logs from now on. */
function logOf({ app }: TestApp): string[] {
  const lines: string[] = [];
  const note = (...parts: unknown[]) => void lines.push(parts.map(String).join(' '));
  app.useLogger({ log: note, error: note, warn: note, debug: note, verbose: note, fatal: note });
  return lines;
}

describe('the secret in the database', () => {
  let test: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    test = await startTestApp();
    tenant = await TestTenant.register(test);
  });

  afterAll(() => test.close());

  it('is nowhere in the clear, be it proposed, confirmed or taken back', async () => {
    const member = await tenant.member();
    const { secret } = (await member.api.post(MFA)).body.data;
    const { mfa_secret } = await storedOf(test, member);
    expect(await tablesWith(test, mfa_secret ?? '')).toEqual(['public.users']);
    expect(await tablesWith(test, secret)).toEqual([]);
    expectStatus(await member.api.post(`${MFA}/confirm`, { code: codeOf(test, secret) }), 200);
    nextStep(test);
    expectStatus(await verify(test, await challenge(test, tenant, member), codeOf(test, secret)), 200);
    expect(await tablesWith(test, secret)).toEqual([]);
    nextStep(test);
    expectStatus(await member.api.delete(MFA, { body: { code: codeOf(test, secret) } }), 204);
    expect(await tablesWith(test, mfa_secret ?? '')).toEqual([]);
  });

  it("does not open as another user's: their codes are wrong, a recovery code still works", async () => {
    const [thief, victim] = [await enrolledMember(test, tenant), await enrolledMember(test, tenant)];
    await test.db.query('UPDATE users SET mfa_secret = $2 WHERE id = $1', [
      victim.member.id,
      await sealedOf(test, thief.member),
    ]);
    const lines = logOf(test);
    const token = await challenge(test, tenant, victim.member);
    for (const { app } of [thief, victim]) {
      expectFailure(await verify(test, token, app.code()), 401, { code: 'invalid_code' });
    }
    expect((await storedOf(test, victim.member)).sessions).toBe(1);
    expect(
      lines.filter((line) => line.includes('SealError') && line.includes(victim.member.id)),
    ).toHaveLength(2);
    for (const { app } of [thief, victim]) expect(lines.join('\n')).not.toContain(app.secret);
    expectStatus(await verify(test, token, victim.app.recovery_codes[0]), 200);
    const code = victim.app.recovery_codes[1];
    expectStatus(await victim.member.api.delete(MFA, { body: { code } }), 204);
    expectStatus(await verify(test, await challenge(test, tenant, thief.member), thief.app.code()), 200);
  });
});

describe('a change of ENCRYPTION_KEY', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let tenant: TestTenant;
  let enrolled: Enrolled;
  let proposing: Member;
  let proposed: string;
  let broken: Enrolled;
  let lastStep = 0;
  let before: string;

  /** An application with this key on the one database, after whatever step was accepted before. */
  async function withKey<T>(ENCRYPTION_KEY: string, work: (test: TestApp) => Promise<T>): Promise<T> {
    const test = await startTestApp({ databaseUrl: database.url, env: { ENCRYPTION_KEY } });
    try {
      nextStep(test, Math.max(1, lastStep - stepOf(test) + 1));
      const result = await work(test);
      lastStep = stepOf(test);
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
      broken = await enrolledMember(test, tenant);
      proposing = await tenant.member();
      proposed = (await proposing.api.post(MFA)).body.data.secret;
      before = await sealedOf(test, enrolled.member);
      // Opened by no key at all, and found before the others, whose rows are written anew behind it.
      await test.db.query('UPDATE users SET mfa_secret = $2 WHERE id = $1', [
        broken.member.id,
        'old.rubbish',
      ]);
      await test.db.query('UPDATE users SET name = name WHERE id <> $1', [broken.member.id]);
    });
  });

  afterAll(() => database.drop());

  const logInOn = async (test: TestApp, { member, app }: { member: Member; app: Authenticator }) =>
    verify(test, await challenge(test, tenant, member), codeOf(test, app.secret));

  it('seals with the new key all that opens with the old one; then the old one can go', async () => {
    const resealed = await withKey(`${KEY_B},${KEY_A}`, async (test) => {
      expectStatus(await logInOn(test, enrolled), 200);
      const sealed = await until(async () => {
        const now = await sealedOf(test, enrolled.member);
        return prefixOf(now) !== prefixOf(before) && now;
      });
      await until(async () => prefixOf(await sealedOf(test, proposing)) === prefixOf(sealed));
      expect(await sealedOf(test, broken.member)).toBe('old.rubbish');
      return sealed;
    });
    await withKey(KEY_B, async (test) => {
      expectStatus(await logInOn(test, enrolled), 200);
      const code = codeOf(test, proposed);
      const { api } = await login(test, tenant.slug, proposing.email);
      expectStatus(await api.post(`${MFA}/confirm`, { code }), 200);
      // What the first key has sealed is left alone.
      expect(await sealedOf(test, enrolled.member)).toBe(resealed);
    });
  });

  it('without the old one lets nobody in by the app, tells them nothing and the log why', async () => {
    await withKey(KEY_C, async (test) => {
      const stored = await storedOf(test, enrolled.member);
      const lines = logOf(test);
      const token = await challenge(test, tenant, enrolled.member);
      const answer = await verify(test, token, codeOf(test, enrolled.app.secret));
      expectFailure(answer, 401, { code: 'invalid_code' });
      expect(JSON.stringify(answer.body)).not.toMatch(/key|seal|secret/i);
      expect(await storedOf(test, enrolled.member)).toMatchObject({
        sessions: stored.sessions,
        mfa_secret: stored.mfa_secret,
      });
      expect(lines.filter((line) => line.startsWith('SealError: No ENCRYPTION_KEY'))).toHaveLength(1);
      // Its start looks for secrets to seal anew; once more, where the log can be read.
      test.get(SecretResealer).onApplicationBootstrap();
      const complaint = /No ENCRYPTION_KEY opens the mfa_secret of \d users/;
      await until(() => lines.some((line) => complaint.test(line)));
      expect(await sealedOf(test, enrolled.member)).toBe(stored.mfa_secret);
      expectStatus(await verify(test, token, enrolled.app.recovery_codes[0]), 200);
    });
  });
});
