import { departmentEnded } from '../support/contexts/departments';
import type { Json } from '../support/http/api';
import { APPOINTMENTS, book, createCustomer, freeSlot, performStep } from '../support/contexts/appointments';
import { expectStatus, TestTenant } from '../support/builders';
import { useMails } from '../support/contexts/mail-usage';
import { waitForMails } from '../support/contexts/password-links';
import { expectFailure } from '../support/database/failures';
import { SmtpPeer } from '../support/peers/smtp-peer';
import { startTestApp, type TestApp } from '../support/test-app';

const DAY_SECONDS = 86_400;
/** Mails that the plan `free` allows a day. */
const FREE = 20;

describe('the allowance of mails to customers', () => {
  let peer: SmtpPeer;
  let test: TestApp;
  let tenant: TestTenant;
  let department: Json;
  let counter = 0;

  beforeAll(async () => {
    peer = await SmtpPeer.start();
    test = await startTestApp({ env: { SMTP_URL: peer.url() } });
  });

  beforeEach(async () => {
    test.clock.reset();
    tenant = await TestTenant.register(test, 'free');
    department = await tenant.department();
  });

  afterAll(async () => {
    await test.close();
    await peer.stop();
  });

  async function bookings(count: number): Promise<{ ids: string[]; customer: Json }> {
    const customer = await createCustomer(tenant, { email: `customer${++counter}@example.com` });
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const input = { ...freeSlot(test), department_id: department.id, customer_id: customer.id };
      ids.push((await book(tenant, input)).id);
    }
    return { ids, customer };
  }

  const confirm = (id: string) => tenant.owner.api.post(`${APPOINTMENTS}/${id}/confirm`);
  const statusOf = async (id: string): Promise<string> =>
    (await tenant.owner.api.get(`${APPOINTMENTS}/${id}`)).body.data.status;
  const usedToday = async (): Promise<number> =>
    (await test.db.query('SELECT mail_count FROM mail_usage WHERE tenant_id = $1', [tenant.id])).rows[0]
      ?.mail_count;
  const use = (count: number) => useMails(test, tenant.id, count);

  it('lets a free company mail twenty invitations a day, also when thirty are requested at once', async () => {
    const { ids, customer } = await bookings(30);
    const answers = await Promise.all(ids.map(confirm));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(30 - FREE);
    for (const answer of refused) {
      expectFailure(answer, 403, { code: 'plan_limit' });
      expect(answer.body.errors.detail).toBe(
        'The plan free allows 20 mails a day. The plan basic allows more.',
      );
    }
    await waitForMails(test);
    expect(peer.messagesTo(customer.email)).toHaveLength(FREE);
    const denied = ids.find((_, index) => answers[index]?.status === 403) ?? '';
    expect(await statusOf(denied)).toBe('scheduled');
    test.clock.advance(DAY_SECONDS);
    expectStatus(await confirm(denied), 200);
  });

  it('is also needed for updates, while appointments without a mail are free', async () => {
    const { ids, customer } = await bookings(2);
    const [id = '', other = ''] = ids;
    await performStep(tenant, id, 'confirm');
    expect(await usedToday()).toBe(1);
    await test.db.query('UPDATE mail_usage SET mail_count = $2 WHERE tenant_id = $1', [tenant.id, FREE]);
    expectFailure(await tenant.owner.api.put(`${APPOINTMENTS}/${id}`, { title: 'New' }), 403, {
      code: 'plan_limit',
    });
    expectFailure(await confirm(other), 403, { code: 'plan_limit' });
    expectStatus(await tenant.owner.api.put(`${APPOINTMENTS}/${other}`, { customer_id: null }), 200);
    expectStatus(await confirm(other), 200);
    expect(await usedToday()).toBe(FREE);
    await waitForMails(test);
    expect(peer.messagesTo(customer.email)).toHaveLength(1);
  });

  it('counts cancellations, which are always sent, so that later invitations pay for them', async () => {
    await use(FREE - 3);
    const { ids, customer } = await bookings(4);
    const [cancelled = '', moved = '', kept = '', denied = ''] = ids;
    for (const id of [cancelled, kept]) await performStep(tenant, id, 'confirm');
    // A cancellation leaves out an invitation that waits to be sent.
    await waitForMails(test);
    await performStep(tenant, cancelled, 'cancel');
    expect(await usedToday()).toBe(FREE);
    expectFailure(await confirm(denied), 403, { code: 'plan_limit' });
    expectStatus(await tenant.owner.api.put(`${APPOINTMENTS}/${moved}`, { customer_id: null }), 200);
    // Beyond the allowance.
    await performStep(tenant, kept, 'cancel');
    expect(await usedToday()).toBe(FREE + 1);
    // Without an invitation there is no mail.
    await performStep(tenant, moved, 'cancel');
    expect(await usedToday()).toBe(FREE + 1);
    await waitForMails(test);
    expect(peer.messagesTo(customer.email)).toHaveLength(4);
    test.clock.advance(DAY_SECONDS);
    expectStatus(await confirm(denied), 200);
  });

  it('lets no company mail more than 30 times a day to one address', async () => {
    await test.db.query(`UPDATE subscriptions SET plan = 'enterprise' WHERE tenant_id = $1`, [tenant.id]);
    const { ids, customer } = await bookings(32);
    const answers = await Promise.all(ids.map(confirm));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.errors.code])).toEqual([
      [429, 'rate_limited'],
      [429, 'rate_limited'],
    ]);
    await waitForMails(test);
    expect(peer.messagesTo(customer.email)).toHaveLength(30);
    const { ids: others } = await bookings(1);
    expectStatus(await confirm(others[0] ?? ''), 200);
  });

  it('is new when the day of the company begins', async () => {
    // 22:00 in São Paulo.
    test.clock.advance((Date.UTC(2100, 0, 2, 1) - test.clock.now().getTime()) / 1000);
    tenant = await TestTenant.register(test, 'free');
    department = await tenant.department();
    const { ids } = await bookings(2);
    const [last = '', beyond = ''] = ids;
    await use(FREE - 1);
    expectStatus(await confirm(last), 200);
    expectFailure(await confirm(beyond), 403, { code: 'plan_limit' });
    test.clock.advance(2 * 3600 + 60);
    expectStatus(await confirm(beyond), 200);
  });

  it('counts the cancellations of a deleted department', async () => {
    const { ids } = await bookings(2);
    for (const id of ids) await performStep(tenant, id, 'confirm');
    expect(await usedToday()).toBe(2);
    expectStatus(await tenant.owner.api.delete(`/api/v1/departments/${department.id}`), 204);
    await departmentEnded(test, department.id);
    expect(await usedToday()).toBe(4);
  });

  it.each([
    ['free', FREE],
    ['basic', 200],
    ['advanced', 1000],
    ['professional', 5000],
    ['enterprise', 5000],
  ])('of the plan %s is %d mails a day, counted by company', async (plan, max) => {
    await test.db.query('UPDATE subscriptions SET plan = $2 WHERE tenant_id = $1', [tenant.id, plan]);
    await use(max - 1);
    const { ids } = await bookings(2);
    const [last = '', beyond = ''] = ids;
    expectStatus(await confirm(last), 200);
    expectFailure(await confirm(beyond), 403, { code: 'plan_limit' });
    expect(await usedToday()).toBe(max);
  });
});
