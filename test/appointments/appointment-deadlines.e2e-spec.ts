import { AppointmentSweeper } from '../../src/appointments/appointment-sweeper';
import type { Json } from '../support/http/api';
import {
  APPOINTMENTS,
  appointmentRow,
  book,
  confirmed,
  customerOf,
  inMinutes,
  take,
} from '../support/contexts/appointments';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { mailsSettled } from '../support/contexts/password-links';
import { callRow, eventsOf } from '../support/database/rows';
import { SmtpPeer } from '../support/peers/smtp-peer';
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
  // Days go by here.
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

/** Lets every deadline that has passed take effect; the application sweeps by itself, too. */
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

const half = (minutes: number) => ({
  starts_at: inMinutes(test, minutes),
  ends_at: inMinutes(test, minutes + 60),
});
const input = (minutes: number, more: Json = {}) => ({
  ...half(minutes),
  user_id: agent.id,
  department_id: department.id,
  ...more,
});
const statusOf = async (id: string) => (await appointmentRow(test, id)).status;

let addresses = 0;
/** A confirmed appointment so many minutes from now, with a customer who has been invited. */
async function invited(minutes: number): Promise<{ id: string; address: string }> {
  const address = `customer${++addresses}@example.com`;
  const customer = await customerOf(tenant, { email: address });
  const { id } = await confirmed(tenant, input(minutes, { customer_id: customer.id }));
  await mailsSettled(test);
  return { id, address };
}

/** How many reminders the address has got, once all that is due by now was mailed. */
async function remindersTo(address: string): Promise<number> {
  await sweep();
  await mailsSettled(test);
  return peer.messagesTo(address).filter(({ subject }) => subject?.startsWith('Lembrete')).length;
}

const step = (callId: string, name: string) => agent.api.post(`/api/v1/calls/${callId}/${name}`);

describe('reminders', () => {
  it('come a day and a quarter of an hour before, each once', async () => {
    const { address } = await invited(30 * 60);
    test.clock.advance(6 * HOUR - MINUTE);
    expect(await remindersTo(address)).toBe(0);
    test.clock.advance(2 * MINUTE);
    expect(await remindersTo(address)).toBe(1);
    expect(await remindersTo(address)).toBe(1);
    test.clock.advance(23 * HOUR + 43 * MINUTE);
    expect(await remindersTo(address)).toBe(1);
    test.clock.advance(2 * MINUTE);
    // By itself: the service's own sweeper has it within a few seconds.
    await until(() => peer.messagesTo(address).length === 3, undefined, 5000);
    expect(await remindersTo(address)).toBe(2);
    const [reminder] = peer.messagesTo(address).slice(-1);
    expect(reminder?.text).toContain('/call/');
    expect(reminder?.raw).not.toContain('text/calendar');
    test.clock.advance(HOUR);
    expect(await remindersTo(address)).toBe(2);
  });

  it.each([
    [20 * 60, 1],
    [10, 0],
  ])(
    'that would have been due at the confirmation, %i minutes before, are left out',
    async (minutes, sent) => {
      const { address } = await invited(minutes);
      expect(await remindersTo(address)).toBe(0);
      test.clock.advance((minutes - 5) * MINUTE);
      expect(await remindersTo(address)).toBe(sent);
    },
  );

  it('that are late are sent once, and none is once it has begun', async () => {
    const [soon, late] = [await invited(26 * 60), await invited(25 * 60 - 10)];
    await test.db.query(
      'UPDATE appointments SET reminder_day_deadline = $2, reminder_soon_deadline = $2 WHERE id = ANY ($1)',
      [[soon.id, late.id], inMinutes(test, 25 * 60)],
    );
    test.clock.advance(25 * HOUR);
    expect([await remindersTo(soon.address), await remindersTo(late.address)]).toEqual([1, 0]);
  });

  it('move with their appointment', async () => {
    const { id, address } = await invited(30 * 60);
    expectStatus(await tenant.owner.api.put(`${APPOINTMENTS}/${id}`, half(60 * 60)), 200);
    test.clock.advance(30 * HOUR);
    expect(await remindersTo(address)).toBe(0);
    test.clock.advance(6 * HOUR + MINUTE);
    expect(await remindersTo(address)).toBe(1);
  });

  it.each(['cancel', 'complete', 'no-show'])('are none after %s', async (step) => {
    const { id, address } = await invited(30 * 60);
    await take(tenant, id, step);
    test.clock.advance(30 * HOUR - 5 * MINUTE);
    expect(await remindersTo(address)).toBe(0);
  });

  it('go to nobody before the confirmation, and to nobody without an address', async () => {
    const customer = await customerOf(tenant, { email: 'unconfirmed@example.com' });
    const { id } = await book(tenant, input(120, { customer_id: customer.id }));
    const mute = await confirmed(tenant, input(240, { customer_id: (await customerOf(tenant)).id }));
    const before = peer.messages.length;
    test.clock.advance(230 * MINUTE);
    expect(await remindersTo('unconfirmed@example.com')).toBe(0);
    expect(peer.messages.length).toBe(before);
    expect(await statusOf(mute.id)).toBe('confirmed');
    expect(await statusOf(id)).toBe('no_show');
  });
});

describe('a customer who does not come', () => {
  it.each(['scheduled', 'confirmed'])('has not shown up half an hour after the start: %s', async (status) => {
    const { id } = await book(tenant, input(10));
    if (status === 'confirmed') await take(tenant, id, 'confirm');
    test.clock.advance(39 * MINUTE);
    await sweep();
    expect(await statusOf(id)).toBe(status);
    test.clock.advance(2 * MINUTE);
    await until(async () => (await statusOf(id)) === 'no_show', undefined, 5000);
    expect((await eventsOf(test, id)).at(-1)).toBe('appointment.no_show');
    expect(await appointmentRow(test, id)).toMatchObject({ next_deadline: null });
  });

  it('is not missed while waiting or talking, and is noted once they have left without a word', async () => {
    const { id, access_link } = await confirmed(tenant, input(10));
    const { call_id, websocket_token } = await tenant.join(access_link);
    test.clock.advance(41 * MINUTE);
    await sweep();
    expect(await statusOf(id)).toBe('confirmed');
    const left = await test.api.post(`/api/v1/call/cancel/${call_id}`, undefined, { token: websocket_token });
    expectStatus(left, 200);
    expect(await statusOf(id)).toBe('confirmed');
    test.clock.advance(2 * MINUTE);
    await sweep();
    expect(await statusOf(id)).toBe('no_show');
  });

  it('settles a great many that are due at once', async () => {
    const { id } = await book(tenant, input(10));
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

describe("the call of an appointment's link", () => {
  it('completes the appointment with its own completion, and bears the mark of the agent', async () => {
    const { id, access_link } = await confirmed(tenant, input(5));
    const { call_id } = await tenant.join(access_link);
    expect((await agent.api.get(`/api/v1/calls/${call_id}`)).body.data.reserved_user_id).toBe(agent.id);
    expectStatus(await step(call_id, 'start'), 200);
    test.clock.advance(50 * MINUTE);
    await sweep();
    expect(await statusOf(id)).toBe('confirmed');
    expectStatus(await step(call_id, 'complete'), 200);
    expect(await appointmentRow(test, id)).toMatchObject({ status: 'completed', next_deadline: null });
    expect((await eventsOf(test, id)).at(-1)).toBe('appointment.completed');
  });

  it('that was not answered completes nothing', async () => {
    const { id, access_link } = await confirmed(tenant, input(5));
    const { call_id } = await tenant.join(access_link);
    expectStatus(await step(call_id, 'assign'), 200);
    test.clock.advance(2 * MINUTE);
    await sweepCalls(test);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'missed' });
    expect(await statusOf(id)).toBe('confirmed');
  });

  it('leaves other appointments, and those that are over, as they are', async () => {
    const over = await confirmed(tenant, input(5));
    const { call_id } = await tenant.join(over.access_link);
    await take(tenant, over.id, 'no-show');
    const next = await confirmed(tenant, input(70));
    const walkIn = await tenant.join(await tenant.link(department.id));
    for (const id of [call_id, walkIn.call_id]) expectStatus(await step(id, 'complete'), 200);
    expect(await statusOf(over.id)).toBe('no_show');
    expect(await statusOf(next.id)).toBe('confirmed');
  });
});
