import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { generateSync } from 'otplib';
import { SocketReconciler } from '../../src/live/socket-reconciler';
import type { Answer } from '../support/http/api';
import { auditedBy } from '../support/contexts/audit-rows';
import { expectStatus, login, type Member, PASSWORD, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import {
  hasLink,
  linkIn,
  countValidLinks,
  waitForMails,
  tablesContaining,
  tokenIn,
  mailedTokens,
} from '../support/contexts/password-links';
import { SmtpPeer } from '../support/peers/smtp-peer';
import { closingSockets } from '../support/sockets/connect-sockets';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const ME = '/api/v1/users/me';
const NEW_PASSWORD = 'another good passphrase';
const MINUTE_SECONDS = 60;

let peer: SmtpPeer;
let test: TestApp;
let tenant: TestTenant;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  peer = await SmtpPeer.start();
  test = await startTestApp({ env: { SMTP_URL: peer.url() } });
  // So that only the event itself can close a socket.
  await test.get(SocketReconciler).onModuleDestroy();
  tenant = await TestTenant.register(test);
});

afterAll(async () => {
  await test.close();
  await peer.stop();
});

const requestLink = (email: unknown, tenantName: unknown = tenant.slug): Promise<Answer> =>
  test.api.post('/api/auth/forgot-password', { email, tenant: tenantName });

const reset = (token: unknown, password: unknown = NEW_PASSWORD): Promise<Answer> =>
  test.api.post('/api/auth/reset-password', { token, password });

const tryLogin = ({ email }: Pick<Member, 'email'>, password: string, slug = tenant.slug): Promise<Answer> =>
  test.api.post('/api/auth/login', { tenant: slug, email, password });

/** Requests a password link and returns the token of its mail. */
async function mailedToken({ email }: Pick<Member, 'email'>, slug = tenant.slug): Promise<string> {
  const before = mailedTokens(peer, email).length;
  expectStatus(await requestLink(email, slug), 200);
  return until(() => mailedTokens(peer, email)[before]);
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

describe('requesting a password link', () => {
  it('mails it to the owner of the account only', async () => {
    const member = await tenant.member();
    const before = peer.messages.length;
    const answer = await requestLink(member.email);
    expect(answer).toMatchObject({ status: 200, body: { data: { message: expect.stringMatching(/\S/) } } });
    const mail = await peer.messageTo(member.email);
    await waitForMails(test);
    expect(peer.messages).toHaveLength(before + 1);
    expect(mail.envelope.to).toEqual([member.email]);
    expect(mail.to).toEqual([{ name: member.name.split(' ')[0], address: member.email }]);
    expect(mail.subject).toContain(tenant.name);
    const link = linkIn(mail);
    expect(link.origin + link.pathname).toBe('http://localhost:3000/reset-password');
    expect([...link.searchParams.keys()]).toEqual(['token', 'lang']);
    // 256 random bits.
    expect(tokenIn(mail)).toMatch(/^[\w-]{43}$/);
  });

  it('returns the same response for every account and mails nothing to those that cannot log in', async () => {
    const [known, inactive] = [await tenant.member(), await tenant.member()];
    expectStatus(await tenant.owner.api.put(`/api/v1/users/${inactive.id}`, { active: false }), 200);
    const suspended = await TestTenant.register(test);
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [suspended.id]);
    const elsewhere = await TestTenant.register(test);
    const answers = [
      await requestLink(known.email),
      await requestLink('nobody@example.com'),
      await requestLink(inactive.email),
      await requestLink(suspended.owner.email, suspended.slug),
      await requestLink(known.email, elsewhere.slug),
      await requestLink(known.email, 'no-such-tenant'),
    ];
    const responses = answers.map(({ status, body, headers }) => ({
      status,
      body,
      names: [...headers.keys()].sort(),
    }));
    for (const response of responses) expect(response).toEqual({ ...responses[0], status: 200 });
    await waitForMails(test);
    expect(peer.messagesTo(known.email)).toHaveLength(1);
    for (const { email } of [{ email: 'nobody@example.com' }, inactive, suspended.owner]) {
      expect(peer.messagesTo(email)).toEqual([]);
    }
  });

  it('finds the account by any spelling of e-mail and tenant and mails the stored address', async () => {
    const member = await tenant.member();
    for (const name of [tenant.slug, tenant.name, `  ${tenant.name.toUpperCase()} `]) {
      const before = peer.messagesTo(member.email).length;
      expectStatus(await requestLink(` ${member.email.toUpperCase()} `, name), 200);
      await until(() => peer.messagesTo(member.email).length === before + 1);
    }
  });

  it('mails every account of a name that two tenants share, and each mail names its tenant', async () => {
    const [one, two] = [await TestTenant.register(test), await TestTenant.register(test)];
    const email = 'works.twice@example.com';
    for (const { id, owner } of [one, two]) {
      await test.db.query('UPDATE tenants SET name = $2 WHERE id = $1', [id, 'Twins & Co']);
      const user = { name: 'Tina Twice', email, role: 'attendant', password: PASSWORD };
      expectStatus(await owner.api.post('/api/v1/users', user), 201);
    }
    expectStatus(await requestLink(email, 'twins & co'), 200);
    await until(() => peer.messagesTo(email).length === 2);
    const mailOf = ({ slug }: TestTenant) =>
      peer.messagesTo(email).filter(({ text }) => text.includes(`"${slug}"`));
    expect([mailOf(one).length, mailOf(two).length]).toEqual([1, 1]);
    for (const mail of peer.messagesTo(email)) expect(mail.subject).toContain('Twins & Co');

    for (const mail of mailOf(one)) expectStatus(await reset(tokenIn(mail)), 200);
    expectStatus(await tryLogin({ email }, NEW_PASSWORD, one.slug), 200);
    expectFailure(await tryLogin({ email }, NEW_PASSWORD, two.slug), 401);
    expectStatus(await tryLogin({ email }, PASSWORD, two.slug), 200);
    for (const mail of mailOf(two)) expectStatus(await reset(tokenIn(mail)), 200);
  });

  it('mails a link for each tenant with that slug or name that knows the e-mail', async () => {
    const [bySlug, other] = [await TestTenant.register(test), await TestTenant.register(test)];
    await test.db.query('UPDATE tenants SET name = $2 WHERE id = $1', [other.id, bySlug.slug]);
    const email = 'works.here@example.com';
    for (const { owner } of [bySlug, other]) {
      const user = { name: 'Hera Here', email, role: 'attendant', password: PASSWORD };
      expectStatus(await owner.api.post('/api/v1/users', user), 201);
    }
    expectStatus(await requestLink(email, bySlug.slug), 200);
    await peer.messageTo(email);
    await waitForMails(test);
    const subjects = peer.messagesTo(email).map(({ subject }) => subject);
    expect(subjects.toSorted()).toEqual([
      expect.stringContaining(bySlug.name),
      expect.stringContaining(bySlug.slug),
    ]);
  });

  it('mails a link for the tenant of that slug even if newer ones of that name know the e-mail', async () => {
    const bySlug = await TestTenant.register(test);
    const email = 'crowded.out@example.com';
    const user = { name: 'Cora Crowded', email, role: 'attendant', password: PASSWORD };
    expectStatus(await bySlug.owner.api.post('/api/v1/users', user), 201);
    for (let n = 0; n < 3; n++) {
      const { id, owner } = await TestTenant.register(test);
      await test.db.query('UPDATE tenants SET name = $2 WHERE id = $1', [id, bySlug.slug]);
      expectStatus(await owner.api.post('/api/v1/users', user), 201);
    }
    expectStatus(await requestLink(email, bySlug.slug), 200);
    await peer.messageTo(email);
    await waitForMails(test);
    const texts = peer.messagesTo(email).map(({ text }) => text);
    expect(texts).toHaveLength(3);
    expect(texts.filter((text) => text.includes(`"${bySlug.slug}"`))).toHaveLength(1);
  });

  it.each([
    [{ email: 'ana@example.com' }, 'tenant'],
    [{ tenant: 'x' }, 'email'],
    [{ email: 'not an address', tenant: 'x' }, 'email'],
    [{ email: ['a@example.com'], tenant: 'x' }, 'email'],
    [{ email: 'a@example.com', tenant: { slug: 'x' } }, 'tenant'],
    [{ email: 'a@example.com\0', tenant: 'x' }, 'email'],
    [{ email: 'a@example.com\r\nRCPT TO:<b@example.com>', tenant: 'x' }, 'email'],
    [{}, 'email'],
  ])('rejects %j', async (body, field) => {
    expectFailure(await test.api.post('/api/auth/forgot-password', body), 422, { field });
  });

  it('stores only the hash of the token', async () => {
    const member = await tenant.member();
    const token = await mailedToken(member);
    await waitForMails(test);
    expect(await tablesContaining(test, token)).toEqual([]);
    expect(await tablesContaining(test, hashOf(token))).toEqual(['public.password_resets']);
    expectStatus(await reset(token), 200);
    await waitForMails(test);
    expect(await tablesContaining(test, token)).toEqual([]);
    expect(await tablesContaining(test, NEW_PASSWORD)).toEqual([]);
    // Proves that the search finds existing values, in the tables of the jobs, too.
    expect(await tablesContaining(test, member.id)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^pgboss\.j/), 'public.domain_events', 'public.users']),
    );
  });
});

describe('the audit log', () => {
  it('has who asked for a link from which address, and that the password was changed by it', async () => {
    const member = await tenant.member();
    const asked = await requestLink(member.email);
    const rows = () => auditedBy(test, asked);
    expect(await until(async () => (await rows()).length > 0 && rows())).toMatchObject([
      { action: 'user.password_reset_requested', subject_id: member.id, user_id: null, address: '127.0.0.1' },
    ]);
    const changed = await reset(await mailedToken(member));
    expectStatus(changed, 200);
    expect(await auditedBy(test, changed)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: 'user.password_changed',
          user_id: member.id,
          subject_id: member.id,
          details: { by: 'link' },
        }),
      ]),
    );
    // Nothing is known of an account that does not exist.
    const unknown = await requestLink('nobody@example.com');
    const later = await requestLink(member.email);
    await until(async () => (await auditedBy(test, later)).length > 0);
    expect(await auditedBy(test, unknown)).toEqual([]);
  });
});

describe('five valid links', () => {
  it('are the limit: a sixth request mails nothing until one of them ends', async () => {
    const member = await tenant.member();
    const tokens: string[] = [];
    for (let n = 0; n < 5; n++) tokens.push(await mailedToken(member));
    expect(new Set(tokens).size).toBe(5);
    expectStatus(await requestLink(member.email), 200);
    await waitForMails(test);
    expect(mailedTokens(peer, member.email)).toHaveLength(5);
    expect(await countValidLinks(test, member.id)).toBe(5);

    test.clock.advance(30 * MINUTE_SECONDS);
    const next = await mailedToken(member);
    for (const token of tokens) expectFailure(await reset(token), 422, { code: 'invalid_token' });
    expectStatus(await reset(next), 200);
  });

  it('are the limit for concurrent requests', async () => {
    const member = await tenant.member();
    const answers = await Promise.all(Array.from({ length: 8 }, () => requestLink(member.email)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await waitForMails(test);
    expect(mailedTokens(peer, member.email)).toHaveLength(5);
    expect(await countValidLinks(test, member.id)).toBe(5);
  });

  it('of one user do not limit another one', async () => {
    const [limited, colleague] = [await tenant.member(), await tenant.member()];
    await Promise.all(Array.from({ length: 6 }, () => requestLink(limited.email)));
    await waitForMails(test);
    expectStatus(await reset(await mailedToken(colleague)), 200);
    expect(await countValidLinks(test, limited.id)).toBe(5);
  });
});

describe('a mail that cannot be sent', () => {
  interface JobRow {
    state: string;
    retry_count: number;
  }

  const jobOf = async ({ id }: Member): Promise<JobRow | undefined> => {
    const { rows } = await test.db.query<JobRow>(
      `SELECT state, retry_count FROM pgboss.job WHERE name = 'mail-password-reset'
         AND data->'holder'->>'user_id' = $1 ORDER BY created_on DESC`,
      [id],
    );
    return rows[0];
  };

  /** Waits until an attempt to send the mail has failed. */
  const waitForFailedAttempt = (member: Member) =>
    until(async () => (await jobOf(member))?.state === 'retry');

  it('because the server is down is sent after its recovery, and only its token is valid', async () => {
    const member = await tenant.member();
    await peer.stop();
    try {
      expectStatus(await requestLink(member.email), 200);
      await waitForFailedAttempt(member);
      expect(await countValidLinks(test, member.id)).toBe(0);
    } finally {
      await peer.listen();
    }
    const mail = await peer.messageTo(member.email);
    await waitForMails(test);
    expect(mailedTokens(peer, member.email)).toHaveLength(1);
    expect(await countValidLinks(test, member.id)).toBe(1);
    expectStatus(await reset(tokenIn(mail)), 200);
  });

  it('because the server returns a temporary error is retried with another token', async () => {
    const member = await tenant.member();
    await waitForMails(test);
    peer.refuseMessages(1, 451);
    expectStatus(await requestLink(member.email), 200);
    const mail = await peer.messageTo(member.email);
    await waitForMails(test);
    expect(await jobOf(member)).toEqual({ state: 'completed', retry_count: 1 });
    expect(await countValidLinks(test, member.id)).toBe(1);
    expectStatus(await reset(tokenIn(mail)), 200);
  });

  it('because its recipient is rejected is not retried and leaves no valid link', async () => {
    const member = await tenant.member();
    await waitForMails(test);
    for (let n = 0; n < 6; n++) {
      peer.refuseRecipients(1, 550);
      expectStatus(await requestLink(member.email), 200);
      await waitForMails(test);
      expect(await jobOf(member)).toEqual({ state: 'completed', retry_count: 0 });
      expect(await countValidLinks(test, member.id)).toBe(0);
    }
    expect(peer.messagesTo(member.email)).toEqual([]);
    expectStatus(await reset(await mailedToken(member)), 200);
  });

  it('within half an hour is discarded', async () => {
    const member = await tenant.member();
    await peer.stop();
    try {
      expectStatus(await requestLink(member.email), 200);
      await waitForFailedAttempt(member);
      test.clock.advance(30 * MINUTE_SECONDS + 1);
    } finally {
      await peer.listen();
    }
    await waitForMails(test);
    expect(peer.messagesTo(member.email)).toEqual([]);
    expect(await countValidLinks(test, member.id)).toBe(0);
  });
});

const changeEmail = ({ id }: Member, email: string): Promise<Answer> =>
  tenant.owner.api.put(`/api/v1/users/${id}`, { email });

describe('a change of the e-mail', () => {
  it('invalidates links that were sent to the old address', async () => {
    const member = await tenant.member();
    const token = await mailedToken(member);
    expectStatus(await changeEmail(member, `new.${member.email}`), 200);
    expectFailure(await reset(token), 422, { code: 'invalid_token' });
    await waitForMails(test);
    // A user with a password gets no invitation.
    expect(peer.messagesTo(`new.${member.email}`)).toEqual([]);
    expectStatus(await reset(await mailedToken({ email: `new.${member.email}` })), 200);
  });

  it('during the sending of a mail leaves no valid link in the old mailbox', async () => {
    const member = await tenant.member();
    await mailedToken(member);
    let renaming: Promise<Answer> | undefined;
    await withLock(
      'SELECT FROM password_resets WHERE user_id = $1 FOR UPDATE',
      member.id,
      async (waiting) => {
        // The change holds the lock of the user's row and waits to delete the row of the old link.
        renaming = changeEmail(member, `late.${member.email}`);
        await waiting(1);
        // The job of the mail may read the old address, and waits for the user's row.
        expectStatus(await requestLink(member.email), 200);
        await waiting(2);
      },
    );
    expectStatus((await renaming) as Answer, 200);
    await waitForMails(test);
    for (const token of mailedTokens(peer, member.email)) {
      expectFailure(await reset(token), 422, { code: 'invalid_token' });
    }
  });
});

/** Holds a row lock while `work` runs. `waiting` resolves once that many sessions wait for a lock. */
async function withLock(
  lock: string,
  id: string,
  work: (waiting: (count: number) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const holder = new Client({ connectionString: test.databaseUrl });
  await holder.connect();
  const waiting = (count: number) =>
    until(async () => {
      const { rows } = await test.db.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length >= count;
    });
  try {
    await holder.query('BEGIN');
    await holder.query(lock, [id]);
    await work(waiting);
    await holder.query('COMMIT');
  } finally {
    await holder.end();
  }
}

describe('choosing a new password', () => {
  it('makes the new password valid and the old one invalid', async () => {
    const member = await tenant.member();
    const answer = await reset(await mailedToken(member));
    expect(answer).toMatchObject({ status: 200, body: { data: { message: expect.stringMatching(/\S/) } } });
    expectStatus(await tryLogin(member, NEW_PASSWORD), 200);
    expectFailure(await tryLogin(member, PASSWORD), 401, { code: 'invalid_credentials' });
  });

  it('ends all sessions of the user at once and no others', async () => {
    const member = await tenant.member();
    const [second, colleague] = [await login(test, tenant.slug, member.email), await tenant.member()];
    const [socket, colleagueSocket] = [await connect(second.token), await connect(colleague.token)];
    const all = [member, second, colleague];
    for (const { api } of all) expectStatus(await api.get(ME), 200);
    const other = await mailedToken(colleague);
    expectStatus(await reset(await mailedToken(member)), 200);
    for (const { api, refresh_token } of [member, second]) {
      expectFailure(await api.get(ME), 401, { code: 'session_ended' });
      expectFailure(await test.api.post('/api/auth/refresh', { refresh_token }), 401);
    }
    await until(() => !socket.io.connected);
    expect(colleagueSocket.io.connected).toBe(true);
    expectStatus(await colleague.api.get(ME), 200);
    const { refresh_token } = colleague;
    expectStatus(await test.api.post('/api/auth/refresh', { refresh_token }), 200);
    expectStatus(await tryLogin(colleague, PASSWORD), 200);
    expectStatus(await reset(other), 200);
  });

  it('leaves no session of a concurrent login with the old password', async () => {
    const member = await tenant.member();
    const token = await mailedToken(member);
    let resetting: Promise<Answer> | undefined;
    let loggingIn: Promise<Answer> | undefined;
    await withLock('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', member.id, async (waiting) => {
      resetting = reset(token);
      await waiting(1);
      // The login finds the old password valid and waits for the reset.
      loggingIn = tryLogin(member, PASSWORD);
      await waiting(2);
    });
    expectStatus((await resetting) as Answer, 200);
    // A login waits for locks by trying again: it may come before the reset, which then ends its session.
    const login = (await loggingIn) as Answer;
    if (login.status === 200) {
      const own = await test.api.get('/api/v1/users/me', { token: login.body.access_token });
      expectFailure(own, 401, { code: 'session_ended' });
    } else expectFailure(login, 401, { code: 'invalid_credentials' });
  });

  it('is reported to the user by a mail without a link', async () => {
    const member = await tenant.member();
    expectStatus(await reset(await mailedToken(member)), 200);
    const mail = await peer.messageTo(member.email, (message) => !hasLink(message));
    expect(mail.subject).toContain(tenant.name);
    await waitForMails(test);
    expect(peer.messagesTo(member.email)).toHaveLength(2);
  });

  it('is possible for 30 minutes', async () => {
    const [early, late] = [await tenant.member(), await tenant.member()];
    const tokens = [await mailedToken(early), await mailedToken(late)];
    test.clock.advance(30 * MINUTE_SECONDS - 20);
    expectStatus(await reset(tokens[0]), 200);
    test.clock.advance(20);
    expectFailure(await reset(tokens[1]), 422, { code: 'invalid_token' });
    expectStatus(await tryLogin(late, PASSWORD), 200);
  });

  it.each<[string, (member: Member, token: string) => Promise<unknown>]>([
    ['that was used', async (_member, token) => expectStatus(await reset(token, 'the first to come'), 200)],
    [
      'of a deactivated user',
      async ({ id }) =>
        expectStatus(await tenant.owner.api.put(`/api/v1/users/${id}`, { active: false }), 200),
    ],
    [
      'that is older than a used one',
      async (member) => expectStatus(await reset(await mailedToken(member)), 200),
    ],
  ])('is 422 with a token %s', async (_what, invalidate) => {
    const member = await tenant.member();
    const token = await mailedToken(member);
    await invalidate(member, token);
    expectFailure(await reset(token, 'the last to come'), 422, { code: 'invalid_token', field: 'token' });
    expectFailure(await tryLogin(member, 'the last to come'), 401);
  });

  it('is 422 for a suspended tenant', async () => {
    const suspended = await TestTenant.register(test);
    const token = await mailedToken(suspended.owner, suspended.slug);
    const suspend = (at: Date | null) =>
      test.db.query('UPDATE tenants SET suspended_at = $2 WHERE id = $1', [suspended.id, at]);
    await suspend(new Date());
    expectFailure(await reset(token), 422, { code: 'invalid_token' });
    await suspend(null);
    expectStatus(await tryLogin(suspended.owner, PASSWORD, suspended.slug), 200);
  });

  it.each([
    ['made up', 'A'.repeat(43), 'invalid_token'],
    ['too long', 'A'.repeat(201), 'validation_failed'],
    ['empty', '', 'validation_failed'],
    ['missing', undefined, 'validation_failed'],
    ['not a string', { $ne: null }, 'validation_failed'],
    ['a list', ['A'.repeat(43)], 'validation_failed'],
    ['with a NUL', 'A\0', 'validation_failed'],
  ])('is 422 with a token that is %s', async (_what, token, code) => {
    expectFailure(await reset(token), 422, { code, field: 'token' });
  });

  it('is 422 with the hash of a token', async () => {
    const member = await tenant.member();
    expectFailure(await reset(hashOf(await mailedToken(member))), 422, { code: 'invalid_token' });
  });

  it('succeeds for exactly one of eight concurrent requests, whose password is stored', async () => {
    const member = await tenant.member();
    const token = await mailedToken(member);
    const passwords = Array.from({ length: 8 }, (_, n) => `passphrase number ${n}`);
    const answers = await Promise.all(passwords.map((password) => reset(token, password)));
    const winners = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []));
    expect(winners).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectFailure(answer, 422, { code: 'invalid_token' });
    }
    const logins = await Promise.all(passwords.map((password) => tryLogin(member, password)));
    expect(logins.flatMap(({ status }, n) => (status === 200 ? [n] : []))).toEqual(winners);
  });

  it('succeeds for exactly one of several links that are used at once', async () => {
    const member = await tenant.member();
    const tokens = [await mailedToken(member), await mailedToken(member), await mailedToken(member)];
    const answers = await Promise.all(tokens.map((token, n) => reset(token, `passphrase number ${n}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expectStatus(await tryLogin(member, `passphrase number ${winner}`), 200);
    expect(await countValidLinks(test, member.id)).toBe(0);
  });

  it.each([
    ['too short', 'seven77'],
    ['too short after trimming', '  seven77  '],
    ['too long', 'x'.repeat(129)],
    ['common', 'password'],
    ['missing', undefined],
    ['not a string', 12345678],
  ])('that is %s is 422 and keeps the token valid', async (_what, password) => {
    const member = await tenant.member();
    const token = await mailedToken(member);
    expectFailure(await reset(token, password ?? null), 422, {
      code: 'validation_failed',
      field: 'password',
    });
    expectStatus(await member.api.get(ME), 200);
    expectStatus(await reset(token), 200);
  });

  it.each(['8 chars!', 'x'.repeat(128), 'açúcar é bom', '👩‍👩‍👧 日本 🔑🔑'])('accepts %s', async (password) => {
    const member = await tenant.member();
    expectStatus(await reset(await mailedToken(member), password), 200);
    expectStatus(await tryLogin(member, password), 200);
  });

  it('keeps MFA enabled and invalidates logins that began with the old password', async () => {
    const member = await tenant.member();
    const enrolment = await member.api.post('/api/v1/users/me/mfa');
    const { secret } = enrolment.body.data;
    // The current code by the clock of the service.
    const code = () => generateSync({ secret, epoch: Math.floor(test.clock.now().getTime() / 1000) });
    expectStatus(await member.api.post('/api/v1/users/me/mfa/confirm', { code: code() }), 200);
    const begun = await tryLogin(member, PASSWORD);
    expect(begun.body).toMatchObject({ mfa_required: true });

    const answer = await reset(await mailedToken(member));
    expect(JSON.stringify(answer.body)).not.toMatch(/access_token/);
    expectStatus(answer, 200);
    test.clock.advance(31);
    const verify = (mfa_token: string) => test.api.post('/api/auth/mfa/verify', { mfa_token, code: code() });
    expectFailure(await verify(begun.body.mfa_token), 401);
    const next = await tryLogin(member, NEW_PASSWORD);
    expect(next).toMatchObject({ status: 200, body: { mfa_required: true } });
    expect(next.body).not.toHaveProperty('access_token');
    test.clock.advance(31);
    expectStatus(await verify(next.body.mfa_token), 200);
  });
});
