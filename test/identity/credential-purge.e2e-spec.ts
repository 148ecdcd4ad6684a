import { CredentialPurge } from '../../src/identity/credential-purge';
import { expectStatus, login, type Member, TestTenant } from '../support/builders';
import { requestMfaToken, enrol } from '../support/contexts/mfa';
import { passwordToken } from '../support/contexts/password-token';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const TABLES = ['mfa_attempts', 'password_resets', 'refresh_tokens', 'sessions'];

let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});

afterAll(() => test.close());

/** Number of rows of the member in each table. */
async function rowCounts({ id }: Member): Promise<Record<string, number>> {
  const { rows } = await test.db.query(
    `SELECT (SELECT count(*)::int FROM mfa_attempts WHERE user_id = $1) AS mfa_attempts,
       (SELECT count(*)::int FROM password_resets WHERE user_id = $1) AS password_resets,
       (SELECT count(*)::int FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id WHERE s.user_id = $1)
         AS refresh_tokens,
       (SELECT count(*)::int FROM sessions WHERE user_id = $1) AS sessions`,
    [id],
  );
  return rows[0];
}

/** Expires the member's rows of one table, and those of no other. */
async function expire(table: string, { id }: Member): Promise<void> {
  const owned =
    table === 'refresh_tokens'
      ? 'session_id IN (SELECT id FROM sessions WHERE user_id = $2)'
      : 'user_id = $2';
  await test.db.query(`UPDATE ${table} SET expires_at = $1 WHERE ${owned}`, [test.clock.now(), id]);
}

describe('the nightly purge', () => {
  it.each(TABLES)('deletes expired rows of %s and keeps all others', async (table) => {
    const [member, colleague] = [await tenant.member(), await tenant.member()];
    for (const user of [member, colleague]) {
      await enrol(test, user);
      await requestMfaToken(test, tenant, user);
      await passwordToken(test, tenant, user);
    }
    const before = await rowCounts(member);
    for (const name of TABLES) expect([name, before[name]]).toEqual([name, 1]);
    await expire(table, member);

    await test.get(CredentialPurge).run();

    // A session's refresh tokens are deleted with it.
    const deleted = table === 'sessions' ? { sessions: 0, refresh_tokens: 0 } : { [table]: 0 };
    expect(await rowCounts(member)).toEqual({ ...before, ...deleted });
    expect(await rowCounts(colleague)).toEqual(before);
  });

  it('keeps a session whose used refresh token it deleted', async () => {
    const member = await tenant.member();
    const { refresh_token } = await login(test, tenant.slug, member.email);
    const first = await test.api.post('/api/auth/refresh', { refresh_token });
    expectStatus(first, 200);
    await test.db.query('UPDATE refresh_tokens SET expires_at = $1 WHERE used_at IS NOT NULL', [
      test.clock.now(),
    ]);

    await test.get(CredentialPurge).run();

    expectStatus(await test.api.post('/api/auth/refresh', { refresh_token: first.body.refresh_token }), 200);
  });

  it('is scheduled once', async () => {
    const { rows } = await test.db.query(`SELECT cron FROM pgboss.schedule WHERE name = 'purge-sessions'`);
    expect(rows).toEqual([{ cron: '17 3 * * *' }]);
  });
});
