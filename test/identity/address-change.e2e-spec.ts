import { expectStatus, type Member, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { SmtpPeer } from '../support/peers/smtp-peer';
import { startTestApp, type TestApp } from '../support/test-app';

let peer: SmtpPeer;
let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  peer = await SmtpPeer.start();
  test = await startTestApp({ env: { SMTP_URL: peer.url() } });
});

beforeEach(async () => {
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

it('a tenant can send 100 invitations an hour to any address, and the limit does not affect other tenants', async () => {
  const created = await tenant.owner.api.post('/api/v1/users', {
    name: 'Ivo Invited',
    email: 'ivo0@example.com',
    role: 'attendant',
  });
  expectStatus(created, 201);
  const { id } = created.body.data;
  for (let n = 1; n < 100; n++) expectStatus(await changeEmail({ id }, `ivo${n}@example.com`), 200);

  const refused = await changeEmail({ id }, 'ivo100@example.com');
  expectFailure(refused, 429, { code: 'rate_limited' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
  // The rejected update is rolled back, so the address is unchanged.
  const { body } = await tenant.owner.api.get(`/api/v1/users/${id}`);
  expect(body.data.email).toBe('ivo99@example.com');

  const other = await TestTenant.register(test);
  expectStatus(
    await other.owner.api.post('/api/v1/users', { name: 'Ida', email: 'ida@example.com', role: 'attendant' }),
    201,
  );
});
