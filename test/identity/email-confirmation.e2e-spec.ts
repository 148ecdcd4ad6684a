import { cnpj } from 'cpf-cnpj-validator';
import type { Json } from '../support/http/api';
import { APPOINTMENTS, book, createCustomer, freeSlot } from '../support/contexts/appointments';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { waitForMails } from '../support/contexts/password-links';
import { passwordToken } from '../support/contexts/password-token';
import { oneTo } from '../support/database/rows';
import { expectFailure } from '../support/database/failures';
import { type ReceivedMail, SmtpPeer } from '../support/peers/smtp-peer';
import { startTestApp, type TestApp } from '../support/test-app';

const PATH = '/confirm-email';
const LINK = /http\S+\/confirm-email\?\S+/;

let peer: SmtpPeer;
let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  peer = await SmtpPeer.start();
  test = await startTestApp({ env: { SMTP_URL: peer.url(), SIGNUP_CONFIRM_EMAIL: 'true' } });
});

beforeEach(async () => {
  tenant = await TestTenant.register(test);
});

afterAll(async () => {
  await test.close();
  await peer.stop();
});

async function confirmationMail(): Promise<ReceivedMail> {
  await waitForMails(test);
  const [mail, ...others] = peer.messagesTo(tenant.owner.email);
  if (!mail || others.length > 0) throw new Error(`${others.length + (mail ? 1 : 0)} mails instead of one`);
  return mail;
}

const tokenIn = ({ text }: ReceivedMail): string =>
  new URL(LINK.exec(text)?.[0] ?? '').searchParams.get('token') ?? '';

const open = (token: string) => fetch(`${test.url}${PATH}?token=${token}&lang=en`);
const submit = (token: string) =>
  fetch(`${test.url}${PATH}?lang=en`, { method: 'POST', body: new URLSearchParams({ token }) });

/** Books an appointment of a customer with an e-mail address and confirms it. */
async function confirmAppointment() {
  const department: Json = await tenant.department();
  const customer = await createCustomer(tenant, { email: `customer-of-${tenant.slug}@example.com` });
  const input = { ...freeSlot(test), department_id: department.id, customer_id: customer.id };
  const { id } = await book(tenant, input);
  return { customer, answer: await tenant.owner.api.post(`${APPOINTMENTS}/${id}/confirm`) };
}

async function expectMayMail(mayMail: boolean): Promise<void> {
  const { customer, answer } = await confirmAppointment();
  if (mayMail) expectStatus(answer, 200);
  else expectFailure(answer, 403, { code: 'email_not_confirmed' });
  await waitForMails(test);
  expect(peer.messagesTo(customer.email)).toHaveLength(mayMail ? 1 : 0);
}

describe('a new company', () => {
  it('cannot mail its customers before its owner has confirmed the e-mail address', () =>
    expectMayMail(false));

  it('can do so afterwards', async () => {
    const mail = await confirmationMail();
    expect(mail.subject).toBe(`Confirme seu e-mail · ${tenant.name}`);
    const token = tokenIn(mail);
    const page = await open(token);
    expect(page.status).toBe(200);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await page.text()).toContain('<button autofocus>Confirm the address</button>');
    // Opening the link, as mail filters do, confirms nothing.
    await expectMayMail(false);
    expect(await (await open(`${token}.)`)).text()).toContain(`value="${token}"`);
    const done = await submit(`${token}.)`);
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('is confirmed.')]);
    await expectMayMail(true);
    expect((await submit(token)).status).toBe(200);
  });

  it('is not confirmed by an invalid link, or one to a former address', async () => {
    const token = tokenIn(await confirmationMail());
    await test.db.query(`UPDATE users SET email = 'new-' || email WHERE id = $1`, [tenant.owner.id]);
    for (const bad of [token, `${token}x`, '', tenant.owner.token]) {
      const page = await submit(bad);
      expect([page.status, await page.text()]).toEqual([422, expect.stringContaining('not valid')]);
    }
    await expectMayMail(false);
  });

  it('is confirmed when its owner chooses a password by a mailed link, but not by another user', async () => {
    const member = await tenant.member();
    const reset = async (user: Member) =>
      expectStatus(
        await test.api.post('/api/auth/reset-password', {
          token: await passwordToken(test, tenant, user),
          password: 'another good passphrase',
        }),
        200,
      );
    await reset(member);
    await expectMayMail(false);
    await reset(tenant.owner);
    const { rows } = await test.db.query('SELECT email_confirmed_at FROM tenants WHERE id = $1', [tenant.id]);
    expect(rows[0].email_confirmed_at).not.toBeNull();
  });
});

const signUp = async (input: Json): Promise<string> => {
  const answer = await test.api.post('/api/signup/register', {
    company_name: 'Padaria Açaí & Filhos Ltda.',
    document: cnpj.generate(),
    document_type: 'cnpj',
    admin_name: 'Ana Souza',
    admin_password: 'a good passphrase',
    plan: 'free',
    ...input,
  });
  expectStatus(answer, 201);
  return answer.body.data.tenant.slug;
};

describe('the mails of a company that nobody has confirmed', () => {
  it.each(['Você ganhou um prêmio! Ligue para receber', 'Ligue 0800 555 1234'])(
    'do not say what a stranger has typed as the name: %s',
    async (company_name) => {
      const admin_email = `stranger${Date.now()}@example.com`;
      const tenantSlug = await signUp({ company_name, admin_name: 'Clique: evil.example/x', admin_email });
      expectStatus(
        await test.api.post('/api/auth/forgot-password', { email: admin_email, tenant: tenantSlug }),
        200,
      );
      await waitForMails(test);
      const mails = peer.messagesTo(admin_email);
      expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
        'Confirme seu e-mail · Empresa nova',
        'Redefina sua senha · Empresa nova',
      ]);
      for (const { to, subject, text, html } of mails) {
        expect(to).toEqual([{ name: '', address: admin_email }]);
        expect(text).toMatch(/^Olá\./);
        expect([subject, text, html].join()).not.toMatch(/ligue|ganhou|0800|clique|evil/i);
      }
    },
  );

  it('name it, and its owner by the first name, where these are plain', async () => {
    const admin_email = `ana${Date.now()}@example.com`;
    await signUp({ admin_email });
    await waitForMails(test);
    const [mail] = peer.messagesTo(admin_email);
    expect(mail?.subject).toBe('Confirme seu e-mail · Padaria Açaí & Filhos Ltda.');
    expect(mail?.text).toMatch(/^Olá, Ana\.\n/);
  });

  it('are at most ten a day to one address, from however many companies', async () => {
    const admin_email = `victim${Date.now()}@example.com`;
    for (const _ of oneTo(8)) {
      const slug = await signUp({ admin_email });
      expectStatus(
        await test.api.post('/api/auth/forgot-password', { email: admin_email, tenant: slug }),
        200,
      );
    }
    await waitForMails(test);
    expect(peer.messagesTo(admin_email)).toHaveLength(10);
  });
});

it('a password is not changed if the address cannot be confirmed with it', async () => {
  const input = {
    token: await passwordToken(test, tenant, tenant.owner),
    password: 'another good passphrase',
  };
  const reset = () => test.api.post('/api/auth/reset-password', input);
  await test.db.query(
    `ALTER TABLE tenants ADD CONSTRAINT tenants_fault CHECK (email_confirmed_at IS NULL) NOT VALID`,
  );
  try {
    expect((await reset()).status).toBeGreaterThanOrEqual(400);
  } finally {
    await test.db.query('ALTER TABLE tenants DROP CONSTRAINT tenants_fault');
  }
  // The token has not been used.
  expectStatus(await reset(), 200);
  const { rows } = await test.db.query('SELECT email_confirmed_at FROM tenants WHERE id = $1', [tenant.id]);
  expect(rows[0].email_confirmed_at).not.toBeNull();
});

it('the page of a link without its token has no button', async () => {
  const response = await fetch(`${test.url}${PATH}?lang=en`);
  expect(response.status).toBe(422);
  expect(await response.text()).not.toContain('<button');
});
