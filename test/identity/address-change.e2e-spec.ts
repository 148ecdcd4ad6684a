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

const move = ({ id }: { id: string }, email: string) =>
  tenant.owner.api.put(`/api/v1/users/${id}`, { email });

describe('the old address of a user who got another', () => {
  it.each([
    ['en', 'The e-mail address of your account was changed'],
    ['pt-BR', 'O e-mail da sua conta foi alterado'],
  ])('is told in the tenant’s language: %s', async (language, subject) => {
    expectStatus(await tenant.owner.api.put('/api/v1/tenant', { language }), 200);
    const member = await tenant.member();
    expectStatus(await move(member, `moved.${member.email}`), 200);
    const mail = await peer.messageTo(member.email);
    expect(mail.subject).toBe(`${subject} · ${tenant.name}`);
    // Whoever reads it there is told nothing of the new one.
    expect(`${mail.text}${mail.html}`).not.toContain('moved.');
    expect(peer.messagesTo(`moved.${member.email}`)).toEqual([]);
  });

  it('is nowhere in the clear while the job waits', async () => {
    const member: Member = await tenant.member();
    expectStatus(await move(member, `moved.${member.email}`), 200);
    await peer.messageTo(member.email);
    const { rows } = await test.db.query(
      `SELECT count(*)::int AS jobs, count(*) FILTER (WHERE data::text LIKE '%' || $1 || '%')::int AS telling
       FROM pgboss.job WHERE name = 'mail-address-changed'`,
      [member.email],
    );
    expect(rows[0].jobs).toBeGreaterThan(0);
    expect(rows[0].telling).toBe(0);
  });

  it('is told nothing when only other fields change', async () => {
    const member = await tenant.member();
    expectStatus(
      await tenant.owner.api.put(`/api/v1/users/${member.id}`, { email: member.email, phone: '1' }),
      200,
    );
    expectStatus(await move(member, `moved.${member.email}`), 200);
    await peer.messageTo(member.email);
    expect(peer.messagesTo(member.email)).toHaveLength(1);
  });
});

it('a tenant has 100 invitations an hour mailed, wherever to, and no other tenant is the worse for it', async () => {
  const created = await tenant.owner.api.post('/api/v1/users', {
    name: 'Ivo Invited',
    email: 'ivo0@example.com',
    role: 'attendant',
  });
  expectStatus(created, 201);
  const { id } = created.body.data;
  for (let n = 1; n < 100; n++) expectStatus(await move({ id }, `ivo${n}@example.com`), 200);

  const refused = await move({ id }, 'ivo100@example.com');
  expectFailure(refused, 429, { code: 'rate_limited' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
  // All or nothing: the address is the old one still.
  const { body } = await tenant.owner.api.get(`/api/v1/users/${id}`);
  expect(body.data.email).toBe('ivo99@example.com');

  const other = await TestTenant.register(test);
  expectStatus(
    await other.owner.api.post('/api/v1/users', { name: 'Ida', email: 'ida@example.com', role: 'attendant' }),
    201,
  );
});
