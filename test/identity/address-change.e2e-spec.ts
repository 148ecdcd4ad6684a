import type { Json } from '../support/http/api';
import { expectStatus, type Member, PASSWORD, TestTenant } from '../support/builders';
import { waitForMails } from '../support/contexts/password-links';
import { expectFailure } from '../support/database/failures';
import { SmtpPeer } from '../support/peers/smtp-peer';
import { startTestApp, type TestApp } from '../support/test-app';
import { useMails } from '../support/contexts/mail-usage';

const USERS = '/api/v1/users';

let peer: SmtpPeer;
let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  peer = await SmtpPeer.start();
  test = await startTestApp({ env: { SMTP_URL: peer.url() } });
});

beforeEach(async () => {
  test.clock.reset();
  tenant = await TestTenant.register(test);
});

afterAll(async () => {
  await test.close();
  await peer.stop();
});

const changeEmail = ({ id }: { id: string }, email: string) =>
  tenant.owner.api.put(`/api/v1/users/${id}`, { email });

describe('the previous address of a user whose e-mail changed', () => {
  it.each([
    ['en', 'The e-mail address of your account was changed'],
    ['pt-BR', 'O e-mail da sua conta foi alterado'],
  ])('gets a mail in the tenant’s language: %s', async (language, subject) => {
    expectStatus(await tenant.owner.api.put('/api/v1/tenant', { language }), 200);
    const member = await tenant.member();
    expectStatus(await changeEmail(member, `moved.${member.email}`), 200);
    const mail = await peer.messageTo(member.email);
    expect(mail.subject).toBe(`${subject} · ${tenant.name}`);
    // The mail must not reveal the new address.
    expect(`${mail.text}${mail.html}`).not.toContain('moved.');
    expect(peer.messagesTo(`moved.${member.email}`)).toEqual([]);
  });

  it('is not stored as plain text in the queued job', async () => {
    const member: Member = await tenant.member();
    expectStatus(await changeEmail(member, `moved.${member.email}`), 200);
    await peer.messageTo(member.email);
    const { rows } = await test.db.query(
      `SELECT count(*)::int AS jobs, count(*) FILTER (WHERE data::text LIKE '%' || $1 || '%')::int AS with_address
       FROM pgboss.job WHERE name = 'mail-address-changed'`,
      [member.email],
    );
    expect(rows[0].jobs).toBeGreaterThan(0);
    expect(rows[0].with_address).toBe(0);
  });

  it('gets no mail when only other fields change', async () => {
    const member = await tenant.member();
    expectStatus(
      await tenant.owner.api.put(`/api/v1/users/${member.id}`, { email: member.email, phone: '1' }),
      200,
    );
    expectStatus(await changeEmail(member, `moved.${member.email}`), 200);
    await peer.messageTo(member.email);
    expect(peer.messagesTo(member.email)).toHaveLength(1);
  });
});

const newUser = (name: string) => ({ name, email: `${name}@example.com`, role: 'attendant' });

it('a tenant can send 200 invitations an hour, counted once for each that is sent, apart from other tenants', async () => {
  const batch = (name: string, size: number) => ({
    users: Array.from({ length: size }, (_, n) => newUser(`${name}${n}`)),
  });
  const created = await tenant.owner.api.post(USERS, newUser('ivo'));
  expectStatus(created, 201);
  const { id } = created.body.data;
  const invalid = { users: [...batch('eva', 99).users, newUser('ivo')] };
  expectFailure(await tenant.owner.api.post(`${USERS}/batch`, invalid), 422, { field: 'users.99.email' });
  expectStatus(await tenant.owner.api.post(`${USERS}/batch`, batch('ana', 100)), 201);

  const tooMany = await tenant.owner.api.post(`${USERS}/batch`, batch('bia', 100));
  expectFailure(tooMany, 429, { code: 'rate_limited' });
  expect(Number(tooMany.headers.get('retry-after'))).toBeGreaterThan(60);
  expectStatus(await tenant.owner.api.post(`${USERS}/batch`, batch('bia', 99)), 201);
  expectFailure(await changeEmail({ id }, 'moved@example.com'), 429, { code: 'rate_limited' });
  // The rejected update is rolled back, so the address is unchanged.
  const { body } = await tenant.owner.api.get(`${USERS}/${id}`);
  expect(body.data.email).toBe('ivo@example.com');

  const other = await TestTenant.register(test);
  expectStatus(await other.owner.api.post(USERS, newUser('ida')), 201);
});

describe('the daily allowance of mails', () => {
  /** Mails that the plan `free` allows a day. */
  const FREE = 20;
  let free: TestTenant;

  beforeEach(async () => {
    free = await TestTenant.register(test, 'free');
  });

  const create = async (input: Json): Promise<string> => {
    const answer = await free.owner.api.post(USERS, { name: 'Stranger', role: 'attendant', ...input });
    expectStatus(answer, 201);
    return answer.body.data.id;
  };
  const moveTo = (id: string, email: string) => free.owner.api.put(`${USERS}/${id}`, { email });
  const emailOf = async (id: string): Promise<string> =>
    (await free.owner.api.get(`${USERS}/${id}`)).body.data.email;
  const useAll = () => useMails(test, free.id, FREE);

  it('limits the former addresses of a user with a password, also when changed at once', async () => {
    const id = await create({ email: 'victim0@example.com', password: PASSWORD });
    const addresses = Array.from({ length: FREE + 10 }, (_, n) => `victim${n + 1}@example.com`);
    const answers = await Promise.all(addresses.map((email) => moveTo(id, email)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(10);
    for (const answer of refused) expectFailure(answer, 403, { code: 'plan_limit' });
    await waitForMails(test);
    const mailed = peer.messages
      .flatMap(({ envelope }) => envelope.to)
      .filter((to) => to.startsWith('victim'));
    expect(mailed).toHaveLength(FREE);
  });

  it('is decided in the transaction of the change, which does not happen without the mail', async () => {
    const id = await create({ email: 'staying@example.com', password: PASSWORD });
    await useAll();
    expectFailure(await moveTo(id, 'unreached@example.com'), 403, { code: 'plan_limit' });
    expect(await emailOf(id)).toBe('staying@example.com');
    expectStatus(await free.owner.api.put(`${USERS}/${id}`, { phone: '1' }), 200);
    await waitForMails(test);
    expect(peer.messagesTo('staying@example.com')).toEqual([]);
    test.clock.advance(86_400);
    expectStatus(await moveTo(id, 'reached@example.com'), 200);
  });

  it('also counts invitations, resent ones and those to a new address', async () => {
    const id = await create({ email: 'invitee@example.com' });
    expectStatus(await free.owner.api.post(`${USERS}/${id}/invitation`), 200);
    expectStatus(await moveTo(id, 'invitee2@example.com'), 200);
    const used = async () =>
      (await test.db.query('SELECT mail_count FROM mail_usage WHERE tenant_id = $1', [free.id])).rows;
    expect(await used()).toEqual([{ mail_count: 3 }]);
    await test.db.query('UPDATE mail_usage SET mail_count = $2 WHERE tenant_id = $1', [free.id, FREE]);
    expectFailure(await free.owner.api.post(`${USERS}/${id}/invitation`), 403, { code: 'plan_limit' });
    expectFailure(await moveTo(id, 'invitee3@example.com'), 403, { code: 'plan_limit' });
    expect(await emailOf(id)).toBe('invitee2@example.com');
    expectStatus(await free.owner.api.put(`${USERS}/${id}`, { active: false }), 200);
    const another = { name: 'Another', email: 'another@example.com', role: 'attendant' };
    const refused = await free.owner.api.post(USERS, another);
    expectFailure(refused, 403, { code: 'plan_limit' });
    expect(refused.body.errors.detail).toBe(
      'The plan free allows 20 mails a day. The plan basic allows more.',
    );
    expectStatus(await free.owner.api.post(USERS, { ...another, password: PASSWORD }), 201);
  });

  it('needs no confirmed address of the owner', async () => {
    const confirming = await startTestApp({ env: { SMTP_URL: peer.url(), SIGNUP_CONFIRM_EMAIL: 'true' } });
    try {
      const { owner } = await TestTenant.register(confirming, 'free');
      const input = { name: 'Ivo', email: 'unconfirmed@example.com', role: 'attendant' };
      expectStatus(await owner.api.post(USERS, input), 201);
      await peer.messageTo(input.email);
    } finally {
      await confirming.close();
    }
  });
});
