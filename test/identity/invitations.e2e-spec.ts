import type { Answer, Json } from '../support/http/api';
import { expectStatus, type Member, PASSWORD, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import {
  hasLink,
  linkIn,
  countValidLinks,
  waitForMails,
  tokenIn,
  mailedTokens,
} from '../support/contexts/password-links';
import { type ReceivedMail, SmtpPeer } from '../support/peers/smtp-peer';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const USERS = '/api/v1/users';
const NEW_PASSWORD = 'my own good passphrase';
const DAY = 86_400;

let peer: SmtpPeer;
let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  peer = await SmtpPeer.start();
  test = await startTestApp({ env: { SMTP_URL: peer.url(), PUBLIC_URL: 'https://calls.example.com/' } });
  tenant = await TestTenant.register(test);
});

afterAll(async () => {
  await test.close();
  await peer.stop();
});

let userCount = 0;
const newUser = (changes: Record<string, unknown> = {}) => ({
  name: 'Ivo Invited',
  email: `invited${++userCount}@example.com`,
  role: 'attendant',
  ...changes,
});

interface Invited {
  id: string;
  email: string;
}

/** Creates a user, by default without a password. The invitation may still be queued. */
async function create(changes: Record<string, unknown> = {}, { owner } = tenant): Promise<Invited> {
  const answer = await owner.api.post(USERS, newUser(changes));
  expectStatus(answer, 201);
  return answer.body.data;
}

/** Creates a user and waits for the invitation. */
async function invited(changes: Record<string, unknown> = {}, from = tenant) {
  const user = await create(changes, from);
  return { ...user, mail: await peer.messageTo(user.email, hasLink) };
}

const resendInvitation = (
  { id }: Pick<Invited, 'id'>,
  { api }: Pick<Member, 'api'> = tenant.owner,
): Promise<Answer> => api.post(`${USERS}/${id}/invitation`);

const updateUser = ({ id }: Pick<Invited, 'id'>, changes: Json): Promise<Answer> =>
  tenant.owner.api.put(`${USERS}/${id}`, changes);

const choosePassword = (mail: ReceivedMail | string, password = NEW_PASSWORD): Promise<Answer> => {
  const token = typeof mail === 'string' ? mail : tokenIn(mail);
  return test.api.post('/api/auth/reset-password', { token, password });
};

const tryLogin = (
  { email }: Pick<Invited, 'email'>,
  password = NEW_PASSWORD,
  { slug } = tenant,
): Promise<Answer> => test.api.post('/api/auth/login', { tenant: slug, email, password });

const mailsTo = ({ email }: Pick<Invited, 'email'>) => peer.messagesTo(email);

describe('a user created without a password', () => {
  it.each([
    ['pt-BR', 'pt', /^Olá, Ivo\./m, /7 dias/],
    ['en', 'en', /^Hello Ivo,/m, /7 days/],
    ['es-MX', 'es', /^Hola, Ivo:/m, /7 días/],
  ])(
    'of a tenant with language %s gets an invitation, chooses a password and logs in',
    async (tag, lang, greeting, ttl) => {
      const company = await TestTenant.register(test);
      const { name, slug } = company;
      expectStatus(await company.owner.api.put('/api/v1/tenant', { language: tag }), 200);
      const before = peer.messages.length;
      const user = await invited({}, company);
      const { mail } = user;
      expect(mail.envelope.to).toEqual([user.email]);
      expect(mail.to).toEqual([{ name: 'Ivo', address: user.email }]);
      expect(mail.subject).toContain(name);
      for (const body of [mail.text, mail.html.replaceAll('&quot;', '"')]) {
        expect(body).toContain(name);
        expect(body).toContain(`"${slug}"`);
        expect(body).toMatch(ttl);
      }
      expect(mail.text).toMatch(greeting);
      const link = linkIn(mail);
      expect(link.origin + link.pathname).toBe('https://calls.example.com/reset-password');
      expect(link.searchParams.get('lang')).toBe(lang);
      await waitForMails(test);
      expect(peer.messages).toHaveLength(before + 1);

      expectFailure(await tryLogin(user, NEW_PASSWORD, company), 401, { code: 'invalid_credentials' });
      expectStatus(await choosePassword(mail), 200);
      const login = await tryLogin(user, NEW_PASSWORD, company);
      expectStatus(login, 200);
      expect(login.body.user).toMatchObject({ id: user.id, role: 'attendant' });
      expectFailure(await choosePassword(mail, 'once more, please'), 422, { code: 'invalid_token' });
    },
  );

  it.each([null, '', '   '])('but %j gets an invitation, too', async (password) => {
    expectStatus(await choosePassword((await invited({ password })).mail), 200);
  });

  it('can choose a password for 7 days', async () => {
    const [early, late] = [await invited(), await invited()];
    test.clock.advance(7 * DAY - 60);
    expectStatus(await choosePassword(early.mail), 200);
    test.clock.advance(60);
    expectFailure(await choosePassword(late.mail), 422, { code: 'invalid_token' });
    expectFailure(await tryLogin(late), 401);
  });

  it('can also ask for a password link', async () => {
    const user = await invited();
    const { email } = user;
    expectStatus(await test.api.post('/api/auth/forgot-password', { email, tenant: tenant.slug }), 200);
    const second = await until(() => mailedTokens(peer, email)[1]);
    expectStatus(await choosePassword(second), 200);
    expectStatus(await tryLogin(user), 200);
    expectFailure(await choosePassword(user.mail), 422, { code: 'invalid_token' });
  });

  it('cannot log in before choosing a password', async () => {
    const user = await invited();
    for (const password of ['null', 'undefined', tokenIn(user.mail), ' ']) {
      const { status } = await tryLogin(user, password);
      expect([401, 422]).toContain(status);
    }
  });
});

async function expectNoMail(email: string): Promise<void> {
  await waitForMails(test);
  expect(peer.messagesTo(email)).toEqual([]);
}

describe('no invitation is mailed', () => {
  it('to a user created with a password', async () => {
    const { email } = await create({ password: PASSWORD });
    await expectNoMail(email);
    expectStatus(await tryLogin({ email }, PASSWORD), 200);
  });

  it('for a creation that was rolled back', async () => {
    const jobs = async () =>
      (await test.db.query(`SELECT FROM pgboss.job WHERE name = 'mail-invitation'`)).rows.length;
    const before = await jobs();
    const existing = await create({ password: PASSWORD });
    expectFailure(await tenant.owner.api.post(USERS, newUser({ email: existing.email })), 422, {
      field: 'email',
    });
    const withUnknownDepartment = newUser({ department_ids: [someId()] });
    expectFailure(await tenant.owner.api.post(USERS, withUnknownDepartment), 422);
    const freeTenant = await TestTenant.register(test, 'free');
    await create({ password: PASSWORD }, freeTenant);
    const overLimit = newUser();
    expectFailure(await freeTenant.owner.api.post(USERS, overLimit), 403, { code: 'plan_limit' });
    for (const { email } of [existing, withUnknownDepartment, overLimit]) await expectNoMail(email);
    expect(await jobs()).toBe(before);
  });

  it('to a user who was deactivated or chose a password after the request', async () => {
    const [first, second] = [await invited(), await invited()];
    await peer.stop();
    try {
      expectStatus(await resendInvitation(first), 200);
      expectStatus(await resendInvitation(second), 200);
      expectStatus(await updateUser(first, { active: false }), 200);
      expectStatus(await choosePassword(second.mail), 200);
    } finally {
      await peer.listen();
    }
    await waitForMails(test);
    expect(mailsTo(first)).toHaveLength(1);
    expect(mailsTo(second).filter(hasLink)).toHaveLength(1);
  });
});

const inviteAll = (users: Json[], { owner } = tenant) => owner.api.post(`${USERS}/batch`, { users });
const exists = async ({ email }: Json): Promise<boolean> =>
  (await test.db.query('SELECT FROM users WHERE email = $1', [email])).rowCount === 1;

describe('inviting several users at once', () => {
  it('mails each of them, who are shown as invited until they choose a password', async () => {
    const department = await tenant.department();
    const inputs = [newUser({ department_ids: [department.id] }), newUser({ role: 'supervisor' })];
    const answer = await inviteAll(inputs);
    expectStatus(answer, 201);
    expect(answer.body.data).toMatchObject(inputs.map((input) => ({ ...input, invited: true })));
    const [first, second] = answer.body.data;
    expectStatus(await choosePassword(await peer.messageTo(first.email, hasLink)), 200);
    await peer.messageTo(second.email, hasLink);
    const invitedOf = async ({ id }: Json): Promise<boolean> =>
      (await tenant.owner.api.get(`${USERS}/${id}`)).body.data.invited;
    expect([await invitedOf(first), await invitedOf(second)]).toEqual([false, true]);
  });

  it('invites none if one of them cannot be invited', async () => {
    const existing = await create({ password: PASSWORD });
    const [one, other] = [newUser(), newUser()];
    const twice = { ...newUser(), email: one.email.toUpperCase() };
    const cases: [users: Json[], field: string][] = [
      [[one, other, { ...newUser(), email: existing.email }], 'users.2.email'],
      [[one, twice], 'users.1.email'],
      [[one, newUser({ email: 'no address' })], 'users.1.email'],
      [[one, newUser({ department_ids: [someId()] })], 'users.1.department_ids'],
      [[], 'users'],
      [Array.from({ length: 101 }, () => newUser()), 'users'],
    ];
    for (const [users, field] of cases) expectFailure(await inviteAll(users), 422, { field });
    expect(await exists(one)).toBe(false);
    const manager = await tenant.member('manager');
    expectFailure(await inviteAll([one, newUser({ role: 'owner' })], { owner: manager } as TestTenant), 403);
    await expectNoMail(one.email);
  });

  it('stays within the plan, also when two batches come at the same time', async () => {
    const freeTenant = await TestTenant.register(test, 'free');
    const [one, two] = [newUser(), newUser()];
    const answers = await Promise.all([inviteAll([one], freeTenant), inviteAll([two], freeTenant)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403]);
    const another = await TestTenant.register(test, 'free');
    expectFailure(await inviteAll([newUser(), newUser()], another), 403, { code: 'plan_limit' });
    const { rows } = await test.db.query('SELECT FROM users WHERE tenant_id = $1', [another.id]);
    expect(rows).toHaveLength(1);
  });
});

describe('resending an invitation', () => {
  it('mails another link, and both are valid until one of them is used', async () => {
    const user = await invited();
    const answer = await resendInvitation(user);
    expect(answer).toMatchObject({ status: 200, body: { data: { message: expect.stringMatching(/\S/) } } });
    const second = await until(() => mailedTokens(peer, user.email)[1]);
    expect(await countValidLinks(test, user.id)).toBe(2);
    expectStatus(await choosePassword(second), 200);
    expectFailure(await choosePassword(user.mail), 422, { code: 'invalid_token' });
  });

  it('is allowed for those who may edit the user', async () => {
    const [attendant, supervisor, manager] = [
      await tenant.member('attendant'),
      await tenant.member('supervisor'),
      await tenant.member('manager'),
    ];
    const [user, owner] = [await invited(), await invited({ role: 'owner' })];
    expectFailure(await test.api.post(`${USERS}/${user.id}/invitation`), 401);
    expectFailure(await resendInvitation(user, attendant), 403);
    expectFailure(await resendInvitation(user, supervisor), 403);
    expectFailure(await resendInvitation(owner, manager), 403);
    await waitForMails(test);
    expect([mailsTo(user).length, mailsTo(owner).length]).toEqual([1, 1]);
    expectStatus(await resendInvitation(user, manager), 200);
    expectStatus(await resendInvitation(owner), 200);
    await waitForMails(test);
    expect([mailsTo(user).length, mailsTo(owner).length]).toEqual([2, 2]);
  });

  it('is 422 for a user who has a password or is not active', async () => {
    const user = await invited();
    expectStatus(await updateUser(user, { active: false }), 200);
    expectFailure(await resendInvitation(user), 422, { code: 'not_invited' });
    expectStatus(await updateUser(user, { active: true }), 200);
    expectStatus(await resendInvitation(user), 200);
    expectStatus(await choosePassword(user.mail), 200);
    expectFailure(await resendInvitation(user), 422, { code: 'not_invited' });
    expectFailure(await resendInvitation(tenant.owner), 422, { code: 'not_invited' });
  });

  it("is 404 for another tenant's user or an unknown one, and 400 for a malformed id", async () => {
    const foreign = await TestTenant.register(test);
    const user = await invited({}, foreign);
    expectFailure(await resendInvitation(user), 404, { code: 'not_found' });
    expectFailure(await resendInvitation({ id: someId() }), 404, { code: 'not_found' });
    expectFailure(await resendInvitation({ id: 'me' }), 400);
    await waitForMails(test);
    expect(mailsTo(user)).toHaveLength(1);
  });

  it('is rejected with too_many_links while five links are valid', async () => {
    const user = await invited();
    for (let n = 0; n < 4; n++) {
      expectStatus(await resendInvitation(user), 200);
      await until(() => mailsTo(user).length === n + 2);
    }
    expectFailure(await resendInvitation(user), 422, { code: 'too_many_links' });
    expect(await countValidLinks(test, user.id)).toBe(5);
    test.clock.advance(7 * DAY);
    expectStatus(await resendInvitation(user), 200);
    await until(() => mailsTo(user).length === 6);
  });
});

describe('changing the e-mail of an invited user', () => {
  it('invalidates the old link and invites the new address', async () => {
    const user = await invited();
    const email = `moved.${user.email}`;
    expectStatus(await updateUser(user, { email }), 200);
    const mail = await peer.messageTo(email);
    expectFailure(await choosePassword(user.mail), 422, { code: 'invalid_token' });
    expectStatus(await choosePassword(mail), 200);
    expectStatus(await tryLogin({ email }), 200);
    expectFailure(await tryLogin(user), 401);
    await waitForMails(test);
    expect(mailsTo(user)).toHaveLength(1);
  });

  it('has no effect on the invitation when the change is rejected or the e-mail stays the same', async () => {
    const user = await invited();
    const { email } = tenant.owner;
    expectFailure(await updateUser(user, { email }), 422, { field: 'email' });
    expectStatus(await updateUser(user, { name: 'Ivo Renamed', email: user.email, role: 'supervisor' }), 200);
    await waitForMails(test);
    expect(mailsTo(user)).toHaveLength(1);
    expectStatus(await choosePassword(user.mail), 200);
  });

  it('of a deactivated user invalidates the old link and sends no mail', async () => {
    const user = await invited();
    expectStatus(await updateUser(user, { active: false }), 200);
    const email = `idle.${user.email}`;
    expectStatus(await updateUser(user, { email }), 200);
    await waitForMails(test);
    expect(peer.messagesTo(email)).toEqual([]);
    expectStatus(await updateUser(user, { active: true }), 200);
    expectFailure(await choosePassword(user.mail), 422, { code: 'invalid_token' });
    expectStatus(await resendInvitation(user), 200);
    expectStatus(await choosePassword(await peer.messageTo(email)), 200);
  });

  it('before the first mail is sent redirects it to the new address only', async () => {
    await peer.stop();
    let user: Invited;
    try {
      user = await create();
      expectStatus(await updateUser(user, { email: `swift.${user.email}` }), 200);
    } finally {
      await peer.listen();
    }
    await waitForMails(test);
    expect(mailsTo(user)).toEqual([]);
    const tokens = mailedTokens(peer, `swift.${user.email}`);
    expect(tokens.length).toBeGreaterThan(0);
    expect(await countValidLinks(test, user.id)).toBe(tokens.length);
    for (const token of tokens.slice(-1)) expectStatus(await choosePassword(token), 200);
  });
});

it('an invitation whose mail is permanently rejected leaves no valid link and can be resent', async () => {
  await waitForMails(test);
  peer.refuseRecipients(1, 550);
  const user = await create();
  await waitForMails(test);
  expect(mailsTo(user)).toEqual([]);
  expect(await countValidLinks(test, user.id)).toBe(0);
  expectStatus(await resendInvitation(user), 200);
  expectStatus(await choosePassword(await peer.messageTo(user.email)), 200);
});
