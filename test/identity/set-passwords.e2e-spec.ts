import { MAILS_PER_DAY } from '../../src/plans/mail-allowance';
import type { Answer, Json } from '../support/http/api';
import { expectStatus, login, type Member, PASSWORD, TestTenant } from '../support/builders';
import { enrol, requestMfaToken } from '../support/contexts/mfa';
import { countValidLinks, waitForMails } from '../support/contexts/password-links';
import { expectFailure } from '../support/database/failures';
import { SmtpPeer } from '../support/peers/smtp-peer';
import { closingSockets } from '../support/sockets/connect-sockets';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';
import { useMails } from '../support/contexts/mail-usage';

const ME = '/api/v1/users/me';
const NEW_PASSWORD = 'a wholly different one';

let peer: SmtpPeer;
let test: TestApp;
let tenant: TestTenant;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  peer = await SmtpPeer.start();
  test = await startTestApp({ env: { SMTP_URL: peer.url() } });
  tenant = await TestTenant.register(test, 'enterprise');
});

afterAll(async () => {
  await test.close();
  await peer.stop();
});

const changeOwn = ({ api }: Pick<Member, 'api'>, body: Json) => api.put(ME, body);
const changeOwnPassword = (member: Member, current_password: unknown, password: unknown = NEW_PASSWORD) =>
  changeOwn(member, { password, current_password });
const setPassword = (actor: Member, { id }: { id: string }, password = NEW_PASSWORD) =>
  actor.api.put(`/api/v1/users/${id}`, { password });
const tryLogin = ({ email }: { email: string }, password: string, company = tenant): Promise<Answer> =>
  test.api.post('/api/auth/login', { tenant: company.slug, email, password });

/** Which of the two passwords the user can log in with. */
async function passwordsOf(member: Member, company = tenant): Promise<string[]> {
  const passwords = [PASSWORD, NEW_PASSWORD];
  const answers = await Promise.all(passwords.map((password) => tryLogin(member, password, company)));
  return passwords.filter((_password, index) => answers[index]?.status === 200);
}

describe('changing the own data', () => {
  it('changes name and phone for every role, and answers as the GET', async () => {
    for (const role of ['attendant', 'owner'] as const) {
      const member = await tenant.member(role);
      const answer = await changeOwn(member, { user: { name: 'Bia Reis', phone: '+55 11 91234-5678' } });
      expectStatus(answer, 200);
      expect(answer.body.data).toMatchObject({ id: member.id, name: 'Bia Reis', phone: '+55 11 91234-5678' });
      expect((await member.api.get(ME)).body).toEqual(answer.body);
      expect((await changeOwn(member, { phone: null })).body.data).toMatchObject({
        name: 'Bia Reis',
        phone: null,
      });
      expect(await passwordsOf(member)).toEqual([PASSWORD]);
    }
  });

  it('changes neither role nor address, and refuses an empty name', async () => {
    const member = await tenant.member('attendant');
    const before = (await member.api.get(ME)).body.data;
    const answer = await changeOwn(member, { role: 'owner', email: 'other@example.com', active: false });
    expect(answer.body.data).toEqual({ ...before, updated_at: expect.any(String) });
    for (const name of ['', null]) expectFailure(await changeOwn(member, { name }), 422, { field: 'name' });
  });
});

describe('changing the own password', () => {
  it('keeps this session, ends the others, and is mailed', async () => {
    const member = await tenant.member('attendant');
    const elsewhere = await login(test, tenant.slug, member.email);
    const [socket, other] = [await connect(member.token), await connect(elsewhere.token)];
    expectStatus(await changeOwnPassword(member, PASSWORD), 200);
    expect(await passwordsOf(member)).toEqual([NEW_PASSWORD]);
    expectFailure(await elsewhere.api.get(ME), 401, { code: 'session_ended' });
    await until(() => !other.io.connected);
    expect(socket.io.connected).toBe(true);
    const { refresh_token } = member;
    expectStatus(await test.api.post('/api/auth/refresh', { refresh_token }), 200);
    const mail = await peer.messageTo(member.email);
    expect(mail.subject).toBe(`Sua senha foi alterada · ${tenant.name}`);
  });

  it.each([
    ['without the current one', undefined],
    ['with null for the current one', null],
    ['with a wrong current one', 'not the password'],
  ])('is refused %s, and changes nothing', async (_what, current) => {
    const member = await tenant.member('attendant');
    const answer = await changeOwn(member, {
      name: 'Mia',
      password: NEW_PASSWORD,
      ...(current !== undefined && { current_password: current }),
    });
    expectFailure(answer, 422, { field: 'current_password' });
    expect((await member.api.get(ME)).body.data.name).toBe(member.name);
    expect(await passwordsOf(member)).toEqual([PASSWORD]);
  });

  it.each(['short', '12345678', '', null])('refuses %p', async (password) => {
    const member = await tenant.member('attendant');
    expectFailure(await changeOwnPassword(member, PASSWORD, password), 422, { field: 'password' });
    expect(await passwordsOf(member)).toEqual([PASSWORD]);
  });

  it('counts the passwords, wrong or right: 20 an hour', async () => {
    const member = await tenant.member('attendant');
    for (let n = 0; n < 20; n++) expectStatus(await changeOwnPassword(member, 'not the password'), 422);
    expectFailure(await changeOwnPassword(member, PASSWORD), 429, { code: 'rate_limited' });
    expect(await passwordsOf(member)).toEqual([PASSWORD]);
  });

  it('succeeds once of several at once with the same current one', async () => {
    const member = await tenant.member('attendant');
    const chosen = Array.from({ length: 5 }, (_value, index) => `${NEW_PASSWORD} ${index}`);
    const answers = await Promise.all(
      chosen.map((password) => changeOwnPassword(member, PASSWORD, password)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
    const winner = chosen[answers.findIndex(({ status }) => status === 200)];
    expectStatus(await tryLogin(member, winner ?? ''), 200);
  });
});

describe("a manager who sets another user's password", () => {
  it.each([
    ['en', 'A manager changed your password'],
    ['pt-BR', 'Um gestor trocou sua senha'],
    ['es', 'Un gestor cambió su contraseña'],
  ])('makes it valid at once, ends all sessions, and the user is mailed: %s', async (language, subject) => {
    expectStatus(await tenant.owner.api.put('/api/v1/tenant', { language }), 200);
    const [manager, member] = [await tenant.member('manager'), await tenant.member('supervisor')];
    const socket = await connect(member.token);
    await enrol(test, member);
    const mfaToken = await requestMfaToken(test, tenant, member);
    await test.api.post('/api/auth/forgot-password', { tenant: tenant.slug, email: member.email });
    await until(async () => (await countValidLinks(test, member.id)) === 1);

    const answer = await setPassword(manager, member);
    expectStatus(answer, 200);
    expect(JSON.stringify(answer.body)).not.toContain('password');
    expect(await passwordsOf(member)).toEqual([NEW_PASSWORD]);
    expectFailure(await member.api.get(ME), 401, { code: 'session_ended' });
    await until(() => !socket.io.connected);
    expect(await countValidLinks(test, member.id)).toBe(0);
    const verified = await test.api.post('/api/auth/mfa/verify', { mfa_token: mfaToken, code: '123456' });
    expectFailure(verified, 401, { code: 'invalid_mfa_token' });
    const mail = await peer.messageTo(member.email, (sent) => Boolean(sent.subject?.includes(subject)));
    expect(mail.subject).toBe(`${subject} · ${tenant.name}`);
    expect(`${mail.text}${mail.html}`).not.toContain(NEW_PASSWORD);
    expect(mail.text).toContain(tenant.slug);
  });

  it('can give an invited user the first one, and the user is mailed', async () => {
    const email = `newcomer.${tenant.slug}@example.com`;
    const created = await tenant.owner.api.post('/api/v1/users', { name: 'Nina', email, role: 'attendant' });
    await until(async () => (await countValidLinks(test, created.body.data.id)) === 1);
    const answer = await setPassword(tenant.owner, created.body.data);
    expect(answer.body.data).toMatchObject({ invited: false });
    expectStatus(await tryLogin({ email }, NEW_PASSWORD), 200);
    expect(await countValidLinks(test, created.body.data.id)).toBe(0);
    await waitForMails(test);
    expect(peer.messagesTo(email)).toHaveLength(2);
  });

  it.each([
    ['manager', 'manager'],
    ['manager', 'owner'],
    ['owner', 'owner'],
    ['supervisor', 'attendant'],
  ] as const)('%s: not that of the role %s', async (actorRole, role) => {
    const [actor, member] = [await tenant.member(actorRole), await tenant.member(role)];
    expectFailure(await setPassword(actor, member), 403, { code: 'forbidden' });
    expect(await passwordsOf(member)).toEqual([PASSWORD]);
    expectStatus(await member.api.get(ME), 200);
  });

  it('changes the own one only with the current one', async () => {
    const answer = await setPassword(tenant.owner, tenant.owner);
    expectFailure(answer, 403, { code: 'forbidden' });
    expect(answer.body.errors.detail).toContain('PUT /api/v1/users/me');
    expectStatus(await tryLogin(tenant.owner, PASSWORD), 200);
  });

  it.each(['short', '12345678', '', null])('refuses %p, with all other changes', async (password) => {
    const member = await tenant.member('attendant');
    const body = { name: 'Mia', password };
    const answer = await tenant.owner.api.put(`/api/v1/users/${member.id}`, body);
    expectFailure(answer, 422, { field: 'password' });
    expect((await member.api.get(ME)).body.data.name).toBe(member.name);
  });

  it('is refused when the mail exceeds the allowance of the day', async () => {
    const company = await TestTenant.register(test, 'free');
    const member = await company.member('attendant');
    await useMails(test, company.id, MAILS_PER_DAY.free);
    expectFailure(await setPassword(company.owner, member), 403, { code: 'plan_limit' });
    // Members of tests have not confirmed their addresses.
    expectFailure(await changeOwnPassword(member, PASSWORD), 403, { code: 'plan_limit' });
    expect(await passwordsOf(member, company)).toEqual([PASSWORD]);
    await test.db.query('UPDATE users SET email_confirmed_at = now() WHERE id = $1', [member.id]);
    expectStatus(await changeOwnPassword(member, PASSWORD), 200);
  });
});
