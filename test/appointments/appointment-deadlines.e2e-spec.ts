import { AppointmentSweeper } from '../../src/appointments/appointment-sweeper';
import type { Json } from '../support/http/api';
import {
  APPOINTMENTS,
  appointmentRow,
  book,
  bookConfirmed,
  createCustomer,
  inMinutes,
  performStep,
} from '../support/contexts/appointments';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { waitForMails } from '../support/contexts/password-links';
import { callRow, eventsOf } from '../support/database/rows';
import { SmtpPeer } from '../support/peers/smtp-peer';
import { setMaxUnanswered } from '../support/contexts/ring-timeouts';
import { sweep as sweepCalls } from '../support/contexts/sweep';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const [MINUTE, HOUR] = [60, 3600];

let peer: SmtpPeer;
let test: TestApp;
let tenant: TestTenant;
let department: Json;
let agent: Member;

beforeAll(async () => {
  peer = await SmtpPeer.start();
  // The tests move the clock by days, so the access token must outlive that.
  test = await startTestApp({ env: { SMTP_URL: peer.url(), ACCESS_TOKEN_TTL: String(1000 * HOUR) } });
  tenant = await TestTenant.register(test);
  department = await tenant.department({ max_wait_time: 10 * HOUR });
});

beforeEach(async () => {
  agent = await tenant.member();
});

afterAll(async () => {
  await test.close();
  await peer.stop();
});

/** Sweeps until no deadline is due. The application's own sweeper runs at the same time. */
async function sweep(): Promise<void> {
  const sweeper = test.get(AppointmentSweeper);
  await Promise.all([sweeper.sweep(), sweeper.sweep()]);
  await until(async () => {
    const { rows } = await test.db.query('SELECT FROM appointments WHERE next_deadline <= $1', [
      test.clock.now(),
    ]);
    return rows.length === 0;
  });
}

const hourFrom = (minutes: number) => ({
  starts_at: inMinutes(test, minutes),
  ends_at: inMinutes(test, minutes + 60),
});
const appointmentInput = (minutes: number, more: Json = {}) => ({
  ...hourFrom(minutes),
  user_id: agent.id,
  department_id: department.id,
  ...more,
});
const statusOf = async (id: string) => (await appointmentRow(test, id)).status;

let addresses = 0;
/** Creates a confirmed appointment in this many minutes with a customer who received the invitation. */
async function createInvited(minutes: number): Promise<{ id: string; address: string }> {
  const address = `customer${++addresses}@example.com`;
  const customer = await createCustomer(tenant, { email: address });
  const { id } = await bookConfirmed(tenant, appointmentInput(minutes, { customer_id: customer.id }));
  await waitForMails(test);
  return { id, address };
}

/** Sends everything that is due, then counts the reminders to the address. */
async function remindersTo(address: string): Promise<number> {
  await sweep();
  await waitForMails(test);
  return peer.messagesTo(address).filter(({ subject }) => subject?.startsWith('Lembrete')).length;
}

const transitionCall = (callId: string, name: string) => agent.api.post(`/api/v1/calls/${callId}/${name}`);

describe('reminders', () => {
  it('are sent once a day and once 15 minutes before the start', async () => {
    const { address } = await createInvited(30 * 60);
    test.clock.advance(6 * HOUR - MINUTE);
    expect(await remindersTo(address)).toBe(0);
    test.clock.advance(2 * MINUTE);
    expect(await remindersTo(address)).toBe(1);
    expect(await remindersTo(address)).toBe(1);
    test.clock.advance(23 * HOUR + 43 * MINUTE);
    expect(await remindersTo(address)).toBe(1);
    test.clock.advance(2 * MINUTE);
    // Without a manual sweep: the service's own sweeper sends it within a few seconds.
    await until(() => peer.messagesTo(address).length === 3);
    expect(await remindersTo(address)).toBe(2);
    const [reminder] = peer.messagesTo(address).slice(-1);
    expect(reminder?.text).toContain('/c/');
    expect(reminder?.raw).not.toContain('text/calendar');
    test.clock.advance(HOUR);
    expect(await remindersTo(address)).toBe(2);
  });

  it.each([
    [20 * 60, 1],
    [10, 0],
  ])(
    'that are already due at the confirmation, %i minutes before the start, are skipped',
    async (minutes, sent) => {
      const { address } = await createInvited(minutes);
      expect(await remindersTo(address)).toBe(0);
      test.clock.advance((minutes - 5) * MINUTE);
      expect(await remindersTo(address)).toBe(sent);
    },
  );

  it('that are overdue are sent once, and never after the start', async () => {
    const [soon, late] = [await createInvited(26 * 60), await createInvited(25 * 60 - 10)];
    await test.db.query(
      'UPDATE appointments SET reminder_day_deadline = $2, reminder_soon_deadline = $2 WHERE id = ANY ($1)',
      [[soon.id, late.id], inMinutes(test, 25 * 60)],
    );
    test.clock.advance(25 * HOUR);
    expect([await remindersTo(soon.address), await remindersTo(late.address)]).toEqual([1, 0]);
  });

  it('are rescheduled with their appointment', async () => {
    const { id, address } = await createInvited(30 * 60);
    expectStatus(await tenant.owner.api.put(`${APPOINTMENTS}/${id}`, hourFrom(60 * 60)), 200);
    test.clock.advance(30 * HOUR);
    expect(await remindersTo(address)).toBe(0);
    test.clock.advance(6 * HOUR + MINUTE);
    expect(await remindersTo(address)).toBe(1);
  });

  it.each(['cancel', 'complete', 'no-show'])('are not sent after %s', async (step) => {
    const { id, address } = await createInvited(30 * 60);
    await performStep(tenant, id, step);
    test.clock.advance(30 * HOUR - 5 * MINUTE);
    expect(await remindersTo(address)).toBe(0);
  });

  it('are not sent before the confirmation or without an e-mail address', async () => {
    const customer = await createCustomer(tenant, { email: 'unconfirmed@example.com' });
    const { id } = await book(tenant, appointmentInput(120, { customer_id: customer.id }));
    const withoutEmail = await bookConfirmed(
      tenant,
      appointmentInput(240, { customer_id: (await createCustomer(tenant)).id }),
    );
    const before = peer.messages.length;
    test.clock.advance(230 * MINUTE);
    expect(await remindersTo('unconfirmed@example.com')).toBe(0);
    expect(peer.messages.length).toBe(before);
    expect(await statusOf(withoutEmail.id)).toBe('confirmed');
    expect(await statusOf(id)).toBe('no_show');
  });
});

describe('a customer who does not join', () => {
  it.each(['scheduled', 'confirmed'])(
    'is marked as a no-show half an hour after the start: %s',
    async (status) => {
      const { id } = await book(tenant, appointmentInput(10));
      if (status === 'confirmed') await performStep(tenant, id, 'confirm');
      test.clock.advance(39 * MINUTE);
      await sweep();
      expect(await statusOf(id)).toBe(status);
      test.clock.advance(2 * MINUTE);
      await until(async () => (await statusOf(id)) === 'no_show');
      expect((await eventsOf(test, id)).at(-1)).toBe('appointment.no_show');
      expect(await appointmentRow(test, id)).toMatchObject({ next_deadline: null });
    },
  );

  it('is not a no-show while waiting, but becomes one after leaving the queue', async () => {
    const { id, access_link } = await bookConfirmed(tenant, appointmentInput(10));
    const { call_id, websocket_token } = await tenant.join(access_link);
    test.clock.advance(41 * MINUTE);
    await sweep();
    expect(await statusOf(id)).toBe('confirmed');
    const cancelled = await test.api.post(`/api/v1/call/cancel/${call_id}`, undefined, {
      token: websocket_token,
    });
    expectStatus(cancelled, 200);
    expect(await statusOf(id)).toBe('confirmed');
    test.clock.advance(2 * MINUTE);
    await sweep();
    expect(await statusOf(id)).toBe('no_show');
  });

  it('is handled for many appointments that are due at once', async () => {
    const { id } = await book(tenant, appointmentInput(10));
    await test.db.query(
      `INSERT INTO appointments (tenant_id, user_id, starts_at, ends_at, no_show_deadline, inserted_at, updated_at)
       SELECT tenant_id, user_id, starts_at + n * interval '1 day', ends_at + n * interval '1 day', no_show_deadline,
         inserted_at, updated_at FROM appointments, generate_series(1, 130) n WHERE id = $1`,
      [id],
    );
    test.clock.advance(41 * MINUTE);
    await sweep();
    const { rows } = await test.db.query(
      'SELECT status, count(*)::int FROM appointments WHERE user_id = $1 GROUP BY status',
      [agent.id],
    );
    expect(rows).toEqual([{ status: 'no_show', count: 131 }]);
  });
});

describe("a call through an appointment's link", () => {
  it('is reserved for the agent and completes the appointment when it is completed', async () => {
    const { id, access_link } = await bookConfirmed(tenant, appointmentInput(5));
    const { call_id } = await tenant.join(access_link);
    expect((await agent.api.get(`/api/v1/calls/${call_id}`)).body.data.reserved_user_id).toBe(agent.id);
    expectStatus(await transitionCall(call_id, 'start'), 200);
    test.clock.advance(50 * MINUTE);
    await sweep();
    expect(await statusOf(id)).toBe('confirmed');
    expectStatus(await transitionCall(call_id, 'complete'), 200);
    expect(await appointmentRow(test, id)).toMatchObject({ status: 'completed', next_deadline: null });
    expect((await eventsOf(test, id)).at(-1)).toBe('appointment.completed');
  });

  it('does not complete the appointment when it was not answered', async () => {
    await setMaxUnanswered(test, department.id, 1);
    const { id, access_link } = await bookConfirmed(tenant, appointmentInput(5));
    const { call_id } = await tenant.join(access_link);
    expectStatus(await transitionCall(call_id, 'assign'), 200);
    test.clock.advance(2 * MINUTE);
    await sweepCalls(test);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'missed' });
    expect(await statusOf(id)).toBe('confirmed');
  });

  it('does not change closed or other appointments', async () => {
    const closed = await bookConfirmed(tenant, appointmentInput(5));
    const { call_id } = await tenant.join(closed.access_link);
    await performStep(tenant, closed.id, 'no-show');
    const next = await bookConfirmed(tenant, appointmentInput(70));
    const walkIn = await tenant.join(await tenant.link(department.id));
    for (const id of [call_id, walkIn.call_id]) expectStatus(await transitionCall(id, 'complete'), 200);
    expect(await statusOf(closed.id)).toBe('no_show');
    expect(await statusOf(next.id)).toBe('confirmed');
  });
});

it('a company whose mails of the day are locked does not hold up the reminders of others', async () => {
  const remindedCompany = async () => {
    const company = await TestTenant.register(test);
    const { id: department_id } = await company.department();
    const customer = await createCustomer(company, { email: `customer${++addresses}@example.com` });
    const slot = { ...hourFrom(3 * 24 * 60), department_id, customer_id: customer.id };
    const { id } = await bookConfirmed(company, slot);
    return { id, tenant_id: company.id };
  };
  const [locked, free] = [await remindedCompany(), await remindedCompany()];
  const sweeper = test.get(AppointmentSweeper);
  const due = jest.spyOn(sweeper, 'due').mockResolvedValue([]);
  test.clock.advance(3 * 24 * HOUR - 23 * HOUR);
  const next_deadline = test.clock.now().toISOString();
  // The first mail of the day makes the row.
  await test.db.query(
    `INSERT INTO mail_usage (tenant_id, day, mail_count)
     SELECT $1, (timestamptz '${next_deadline}' AT TIME ZONE timezone)::date, 0 FROM tenants WHERE id = $1
     ON CONFLICT DO NOTHING`,
    [locked.tenant_id],
  );
  const isReminded = async ({ id }: Json) => (await appointmentRow(test, id)).reminder_day_deadline === null;
  await test.db.query(`BEGIN; SELECT FROM mail_usage WHERE tenant_id = '${locked.tenant_id}' FOR UPDATE`);
  try {
    due.mockResolvedValueOnce([locked, free].map((row) => ({ ...row, next_deadline })));
    const begin = performance.now();
    await sweeper.sweep();
    await until(() => isReminded(free));
    expect(performance.now() - begin).toBeLessThan(5000);
    expect(await isReminded(locked)).toBe(false);
  } finally {
    await test.db.query('COMMIT');
    due.mockRestore();
  }
  await until(() => isReminded(locked));
});
