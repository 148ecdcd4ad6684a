import { departmentEnded } from '../support/contexts/departments';
import type { Json } from '../support/http/api';
import {
  APPOINTMENTS,
  appointmentRow,
  book,
  bookConfirmed,
  createCustomer,
  freeSlot,
  inMinutes,
  performStep,
} from '../support/contexts/appointments';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { calendarIn } from '../support/peers/calendar';
import { waitForMails, tablesContaining } from '../support/contexts/password-links';
import { type ReceivedMail, SmtpPeer } from '../support/peers/smtp-peer';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

let peer: SmtpPeer;
let test: TestApp;
let tenant: TestTenant;
let department: Json;
let agent: Member;
let counter = 0;

beforeAll(async () => {
  peer = await SmtpPeer.start();
  test = await startTestApp({
    env: {
      SMTP_URL: peer.url(),
      MAIL_FROM: 'Calls <no-reply@calls.example.com>',
      PUBLIC_URL: 'https://calls.example.com',
    },
  });
  tenant = await TestTenant.register(test);
  department = await tenant.department();
  agent = await tenant.member('attendant', [department.id]);
});

afterAll(async () => {
  await test.close();
  await peer.stop();
});

/** Creates a customer with an unused e-mail address. */
const newCustomer = (input: Json = {}) =>
  createCustomer(tenant, { name: 'João Lima', email: `joao${++counter}@example.com`, ...input });

/** Waits for pending mails, then returns all mails to the customer. */
async function mailsTo({ email }: Json): Promise<ReceivedMail[]> {
  await waitForMails(test);
  return peer.messagesTo(email);
}

/** Returns one calendar field of each mail. */
const calendarFields = async (mails: ReceivedMail[], name: string) =>
  (await Promise.all(mails.map(calendarIn))).map((calendar) => calendar.field(name));

const icalTime = (moment: string) => moment.replace(/[-:]|\.\d{3}/g, '');

describe('an invitation', () => {
  it('is sent on confirmation, in the tenant’s language and time zone, with a calendar entry', async () => {
    const customer = await newCustomer();
    const slot = { starts_at: '2031-01-31T15:00:00.000Z', ends_at: '2031-01-31T15:30:00.000Z' };
    const input = { ...slot, user_id: agent.id, department_id: department.id, customer_id: customer.id };
    const booked = await book(tenant, { ...input, title: 'Renovação', notes: 'He owes us 7' });
    expect(await mailsTo(customer)).toEqual([]);
    const { access_link } = await performStep(tenant, booked.id, 'confirm');
    const [mail, ...others] = (await mailsTo(customer)) as [ReceivedMail];
    expect(others).toEqual([]);
    expect(mail.to).toEqual([{ name: 'João', address: customer.email }]);
    expect(mail.subject).toBe(
      `Seu atendimento por vídeo: sexta-feira, 31 de janeiro de 2031 · ${tenant.name}`,
    );
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain(`com ${agent.name}, de ${tenant.name}`);
      expect(body).toContain('31 de janeiro de 2031, 12:00 – 12:30 (Horário Padrão de Brasília)');
      expect(body).toContain('Assunto: Renovação');
      expect(body).toContain(access_link.url);
    }
    expect(mail.raw).not.toContain('owes');
    const { method, lines, field } = await calendarIn(mail);
    expect(method).toBe('REQUEST');
    expect(lines).toEqual(expect.arrayContaining(['METHOD:REQUEST', `UID:${booked.id}`, 'SEQUENCE:0']));
    expect(lines).toEqual(expect.arrayContaining(['DTSTART:20310131T150000Z', 'DTEND:20310131T153000Z']));
    expect(field('SUMMARY')).toBe('Renovação');
    expect(field('URL')).toBe(access_link.url);
    expect(field('ORGANIZER')).toBe('mailto:no-reply@calls.example.com');
    expect(field('ATTENDEE')?.toLowerCase()).toBe(`mailto:${customer.email}`);
    expect(field('STATUS')).toBe('CONFIRMED');
    expect(mail.raw).toContain('filename=invite.ics');
  });

  it('is in English for a tenant whose language is not Portuguese', async () => {
    const english = await TestTenant.register(test);
    await english.owner.api.put('/api/v1/tenant', { language: 'en-US', timezone: 'Europe/Lisbon' });
    const { id: department_id } = await english.department();
    const { id: customer_id, email } = await createCustomer(english, { email: 'joe@example.com' });
    const slot = { starts_at: '2031-07-31T15:00:00.000Z', ends_at: '2031-07-31T15:30:00.000Z' };
    await bookConfirmed(english, { ...slot, department_id, customer_id });
    const mail = await peer.messageTo(email);
    expect(mail.subject).toBe(`Your video call: Thursday, 31 July 2031 · ${english.name}`);
    expect(mail.text).toContain('16:00 – 16:30');
    expect((await calendarIn(mail)).field('SUMMARY')).toBe(`Video call · ${english.name}`);
  });

  it('is not sent without a customer, without an e-mail address or for a past appointment', async () => {
    const before = peer.messages.length;
    const withoutEmail = await newCustomer({ email: null });
    const late = await newCustomer();
    const past = { starts_at: inMinutes(test, -120), ends_at: inMinutes(test, -90) };
    for (const input of [
      freeSlot(test),
      { ...freeSlot(test), customer_id: withoutEmail.id },
      { ...past, customer_id: late.id },
    ]) {
      const { id } = await bookConfirmed(tenant, { ...input, department_id: department.id });
      await performStep(tenant, id, 'cancel');
    }
    await waitForMails(test);
    expect(peer.messages.length).toBe(before);
  });
});

describe('a change', () => {
  it('of an invitation’s content is sent as an update with a higher sequence', async () => {
    const customer = await newCustomer();
    const input = { ...freeSlot(test), department_id: department.id, customer_id: customer.id };
    const { id } = await bookConfirmed(tenant, input);
    await waitForMails(test);
    const slot = freeSlot(test);
    for (const change of [slot, { user_id: agent.id }, { notes: 'For us' }, slot, { title: 'About it' }]) {
      expectStatus(await tenant.owner.api.put(`${APPOINTMENTS}/${id}`, change), 200);
      await waitForMails(test);
    }
    const mails = await mailsTo(customer);
    expect(await calendarFields(mails, 'SEQUENCE')).toEqual(['0', '1', '2', '3']);
    expect(new Set(await calendarFields(mails, 'UID'))).toEqual(new Set([id]));
    const [, moved, reassigned] = mails as [ReceivedMail, ReceivedMail, ReceivedMail];
    expect(moved.subject).toContain('mudou');
    const calendar = await calendarIn(moved);
    expect([calendar.method, calendar.field('DTSTART')]).toEqual(['REQUEST', icalTime(slot.starts_at)]);
    expect(reassigned.text).toContain(`Agora é com ${agent.name}`);
  });

  it('of the customer sends a cancellation to the old one and an invitation to the new one', async () => {
    const [previous, next] = [await newCustomer(), await newCustomer()];
    const slot = freeSlot(test);
    const { id } = await bookConfirmed(tenant, {
      ...slot,
      department_id: department.id,
      customer_id: previous.id,
    });
    const answer = await tenant.owner.api.put(`${APPOINTMENTS}/${id}`, { customer_id: next.id });
    const { url } = answer.body.data.access_link;
    const withdrawn = (await mailsTo(previous)).at(-1) as ReceivedMail;
    const invited = (await mailsTo(next)) as [ReceivedMail];
    const { method, field } = await calendarIn(withdrawn);
    expect([method, field('UID'), field('SEQUENCE')]).toEqual(['CANCEL', id, '1']);
    expect(withdrawn.raw + withdrawn.text).not.toContain(url);
    expect(invited).toHaveLength(1);
    expect(await calendarFields(invited, 'URL')).toEqual([url]);
    expect(invited[0].subject).toContain('Seu atendimento por vídeo:');
  });
});

describe('a cancellation', () => {
  it('is sent to the invited customer and cancels the calendar entry', async () => {
    const customer = await newCustomer();
    const slot = freeSlot(test);
    const { id } = await bookConfirmed(tenant, {
      ...slot,
      department_id: department.id,
      customer_id: customer.id,
    });
    await performStep(tenant, id, 'cancel');
    const mail = (await mailsTo(customer)).at(-1) as ReceivedMail;
    expect(mail.subject).toContain('foi cancelado');
    expect(mail.text).not.toContain('/c/');
    const { method, lines, field } = await calendarIn(mail);
    expect(method).toBe('CANCEL');
    expect(lines).toEqual(
      expect.arrayContaining(['METHOD:CANCEL', `UID:${id}`, 'SEQUENCE:1', 'STATUS:CANCELLED']),
    );
    expect(field('DTSTART')).toBe(icalTime(slot.starts_at));
  });

  it.each(['cancelled', 'moved to another customer'])(
    'is sent to the address that was invited, whatever the record contains when it is %s',
    async (reason) => {
      const customer = await newCustomer();
      const slot = { ...freeSlot(test), department_id: department.id };
      const { id } = await bookConfirmed(tenant, { ...slot, customer_id: customer.id });
      await mailsTo(customer);
      const changed = { name: 'Somebody Else', email: `stranger${++counter}@example.com` };
      expectStatus(await tenant.owner.api.put(`/api/v1/customers/${customer.id}`, changed), 200);
      if (reason === 'cancelled') await performStep(tenant, id, 'cancel');
      else expectStatus(await tenant.owner.api.put(`${APPOINTMENTS}/${id}`, { customer_id: null }), 200);
      const mails = await mailsTo(customer);
      expect(await calendarFields(mails, 'STATUS')).toEqual(['CONFIRMED', 'CANCELLED']);
      expect(mails.at(-1)?.to).toEqual([{ name: 'João', address: customer.email }]);
      expect(await mailsTo(changed)).toEqual([]);
      expect(await appointmentRow(test, id)).toMatchObject({ sealed_recipient: null });
    },
  );

  it('is sent to a new address once an update was sent there', async () => {
    const customer = await newCustomer();
    const slot = { ...freeSlot(test), department_id: department.id };
    const { id } = await bookConfirmed(tenant, { ...slot, customer_id: customer.id });
    await mailsTo(customer);
    const email = `moved${++counter}@example.com`;
    expectStatus(await tenant.owner.api.put(`/api/v1/customers/${customer.id}`, { email }), 200);
    expectStatus(await tenant.owner.api.put(`${APPOINTMENTS}/${id}`, { title: 'About it' }), 200);
    await waitForMails(test);
    await performStep(tenant, id, 'cancel');
    expect(await calendarFields(await mailsTo({ email }), 'STATUS')).toEqual(['CONFIRMED', 'CANCELLED']);
    expect(await calendarFields(await mailsTo(customer), 'STATUS')).toEqual(['CONFIRMED']);
  });

  it('is not sent once the customer was deleted, because the address is forgotten', async () => {
    const customer = await newCustomer();
    const slot = { ...freeSlot(test), department_id: department.id };
    const { id } = await bookConfirmed(tenant, { ...slot, customer_id: customer.id });
    await mailsTo(customer);
    expectStatus(await tenant.owner.api.delete(`/api/v1/customers/${customer.id}`), 204);
    expect(await appointmentRow(test, id)).toMatchObject({ sealed_recipient: null });
    await performStep(tenant, id, 'cancel');
    expect(await mailsTo(customer)).toHaveLength(1);
  });

  it('is not sent to a customer who was not invited', async () => {
    const customer = await newCustomer();
    const { id } = await book(tenant, {
      ...freeSlot(test),
      department_id: department.id,
      customer_id: customer.id,
    });
    await performStep(tenant, id, 'cancel');
    expect(await mailsTo(customer)).toEqual([]);
  });

  it('is also sent when the department is deleted', async () => {
    const [customer, { id: department_id }] = [await newCustomer(), await tenant.department()];
    await bookConfirmed(tenant, { ...freeSlot(test), department_id, customer_id: customer.id });
    // Otherwise the invitation is dropped as outdated.
    await mailsTo(customer);
    expectStatus(await tenant.owner.api.delete(`/api/v1/departments/${department_id}`), 204);
    await departmentEnded(test, department_id);
    expect(await calendarFields(await mailsTo(customer), 'STATUS')).toEqual(['CONFIRMED', 'CANCELLED']);
  });
});

it('a delayed mail is dropped once a newer one was sent', async () => {
  const customer = await newCustomer();
  peer.refuseRecipients(1, 450);
  const input = { ...freeSlot(test), department_id: department.id, customer_id: customer.id };
  const { id } = await bookConfirmed(tenant, input);
  await until(async () => {
    const { rows } = await test.db.query(
      `SELECT FROM pgboss.job WHERE data->>'appointment_id' = $1 AND state = 'retry'`,
      [id],
    );
    return rows.length > 0;
  });
  await performStep(tenant, id, 'cancel');
  expect(await calendarFields(await mailsTo(customer), 'STATUS')).toEqual(['CANCELLED']);
});

it('e-mail addresses are stored in the customers table only', async () => {
  const customer = await newCustomer();
  await bookConfirmed(tenant, { ...freeSlot(test), department_id: department.id, customer_id: customer.id });
  await mailsTo(customer);
  expect(await tablesContaining(test, customer.email)).toEqual(expect.arrayContaining(['public.customers']));
  for (const table of await tablesContaining(test, customer.email)) expect(table).toMatch(/customers$/);
});
