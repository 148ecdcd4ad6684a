import { agentOnCall, expectStatus, TestTenant } from '../support/builders';
import {
  callbackRequested,
  callbackRow,
  callingQueue,
  cancelCallback,
  resume,
  sweepCallbacks,
  tokenOf,
  unstaffedCallingQueue,
  untilCallback,
} from '../support/contexts/callbacks';
import { changeCall, secondsAfter } from '../support/contexts/line';
import { useMails } from '../support/contexts/mail-usage';
import { waitForMails, tablesContaining } from '../support/contexts/password-links';
import { callRow, eventsOf } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { type ReceivedMail, SmtpPeer } from '../support/peers/smtp-peer';
import { startTestApp, type TestApp } from '../support/test-app';

let peer: SmtpPeer;
let test: TestApp;
let tenant: TestTenant;
let link: Json;
let counter = 0;

beforeAll(async () => {
  peer = await SmtpPeer.start();
  test = await startTestApp({
    env: { SMTP_URL: peer.url(), PUBLIC_URL: 'https://calls.example.com', QUEUE_ABSENCE_SECONDS: '300' },
  });
  tenant = await TestTenant.register(test);
});

beforeEach(async () => {
  ({ link } = await callingQueue(tenant));
});

afterEach(() => {
  test.clock.reset();
  peer.acceptMessages();
});

afterAll(async () => {
  await test.close();
  await peer.stop();
});

const join = (input: Json = {}): Promise<Json> => tenant.join(link as { token: string }, input);
const newAddress = () => `eva${++counter}@example.com`;

async function mailsTo(email: string): Promise<ReceivedMail[]> {
  await waitForMails(test);
  return peer.messagesTo(email);
}

/** A customer who is the first of the line, so that they are invited at once. */
async function invitedCustomer(): Promise<{ entry: Json; email: string; row: Json }> {
  const email = newAddress();
  const entry = await join();
  await callbackRequested(test, entry, { channel: 'email', email });
  return { entry, email, row: await untilCallback(test, entry.call_id, 'invited') };
}

const URL_IN_TEXT = /https:\/\/calls\.example\.com\/c\/\S+/;
const urlIn = ({ text }: ReceivedMail): string => URL_IN_TEXT.exec(text)?.[0] ?? '';

describe('an invitation by mail', () => {
  it('goes to the given address when it is the turn of the customer, with a link that brings them back', async () => {
    const { entry, email, row } = await invitedCustomer();
    const { invited_at } = await callbackRow(test, entry.call_id);
    expect(row).toMatchObject({ status: 'queued', callback_invited_until: secondsAfter(invited_at, 600) });
    const [mail, ...others] = (await mailsTo(email)) as [ReceivedMail];
    expect(others).toEqual([]);
    expect(mail.subject).toBe(`Está quase na sua vez · ${tenant.name}`);
    expect(mail.html).toContain('Voltar ao atendimento');
    const url = urlIn(mail);
    // Short enough for a text message.
    expect(url.length).toBeLessThan(160);
    expect(url).toContain(`/c/${link.token}#resume=`);

    const answer = await resume(test, tokenOf(url));
    expectStatus(answer, 200);
    expect(answer.body.data).toMatchObject({
      call_id: entry.call_id,
      status: 'queued',
      position: 1,
      callback: { status: 'returned', invited_until: null },
    });
    const after = await callRow(test, entry.call_id);
    expect(after).toMatchObject({
      callback_status: 'returned',
      callback_invited_until: null,
      rank_at: row.rank_at,
      version: row.version + 1,
    });
    expect(after.wait_deadline.getTime()).toBeGreaterThan(test.clock.now().getTime() + 86_000_000);
    expect(after.absence_deadline.getTime()).toBeLessThanOrEqual(test.clock.now().getTime() + 330_000);
  });

  it('leads back also with what was pasted behind its link', async () => {
    const { entry, email } = await invitedCustomer();
    const [mail] = (await mailsTo(email)) as [ReceivedMail];
    for (const pasted of ['.', ')', '>', ' ']) {
      const answer = await resume(test, tokenOf(urlIn(mail)) + pasted);
      expectStatus(answer, 200);
      expect(answer.body.data.call_id).toBe(entry.call_id);
    }
    expectStatus(await resume(test, `${tokenOf(urlIn(mail))}x`), 401);
  });

  it('is in the language of the company, and names no address that somebody else chose', async () => {
    const other = await TestTenant.register(test);
    expectStatus(await other.owner.api.put('/api/v1/tenant', { language: 'en' }), 200);
    const queue = await callingQueue(other, { name: 'Sales https://evil.example' });
    const email = newAddress();
    const entry = await other.join(queue.link as { token: string }, { name: 'Win at evil.example' });
    await callbackRequested(test, entry, { channel: 'email', email });
    await untilCallback(test, entry.call_id, 'invited');
    const [mail] = (await mailsTo(email)) as [ReceivedMail];
    expect(mail.subject).toBe(`It is almost your turn · ${other.name}`);
    expect(mail.text).not.toContain('evil.example');
  });

  it('brings a customer back who opens its link too late, before the next one', async () => {
    const { entry, email, row } = await invitedCustomer();
    const [mail] = (await mailsTo(email)) as [ReceivedMail];
    test.clock.advance(601);
    await untilCallback(test, entry.call_id, 'requested');
    const waiting = await resume(test, entry.websocket_token);
    expect(waiting.body.data.callback).toEqual({ status: 'requested', invited_until: null });
    const back = await resume(test, tokenOf(urlIn(mail)));
    expect(back.body.data).toMatchObject({ position: 1, callback: { status: 'returned' } });
    expect(await callRow(test, entry.call_id)).toMatchObject({ rank_at: row.rank_at, status: 'queued' });
    expect(await callbackRow(test, entry.call_id)).toMatchObject({ next_attempt_at: null });
  });

  it('is repeated 15 minutes after the window, then the call is abandoned', async () => {
    const { entry, email, row } = await invitedCustomer();
    const [first] = (await mailsTo(email)) as [ReceivedMail];
    test.clock.advance(601);
    const again = await untilCallback(test, entry.call_id, 'requested');
    expect(again).toMatchObject({ status: 'queued', rank_at: row.rank_at, version: row.version + 1 });
    const { next_attempt_at } = await callbackRow(test, entry.call_id);
    expect(next_attempt_at).toEqual(secondsAfter(row.callback_invited_until, 900));
    // Not before.
    test.clock.advance(800);
    await sweepCallbacks(test);
    expect(await callRow(test, entry.call_id)).toMatchObject({ callback_status: 'requested' });

    test.clock.advance(110);
    await untilCallback(test, entry.call_id, 'invited');
    const mails = await mailsTo(email);
    expect(mails).toHaveLength(2);
    // The link of the first mail works as well.
    expect(urlIn(mails[1])).toBe(urlIn(first));

    test.clock.advance(601);
    const ended = await untilCallback(test, entry.call_id, 'expired');
    expect(ended).toMatchObject({ status: 'abandoned', end_reason: 'abandoned' });
    expect(await eventsOf(test, entry.call_id)).toEqual([
      'call.queued',
      'call.callback_requested',
      'call.callback_invited',
      'call.callback_requested',
      'call.callback_invited',
      'call.callback_expired',
      'call.abandoned',
    ]);
    expect((await resume(test, tokenOf(urlIn(first)))).status).toBe(401);
  });

  it('is as frequent and as long as the department says', async () => {
    ({ link } = await callingQueue(tenant, { callback_attempts: 1, callback_window: 60 }));
    const { entry } = await invitedCustomer();
    test.clock.advance(61);
    expect(await untilCallback(test, entry.call_id, 'expired')).toMatchObject({ status: 'abandoned' });
  });

  it('is not repeated sooner because the customer takes the callback back and requests it for another address', async () => {
    const { entry, row } = await invitedCustomer();
    const { invited_at } = await callbackRow(test, entry.call_id);
    expect((await cancelCallback(test, entry)).status).toBe(204);
    const stranger = newAddress();
    await callbackRequested(test, entry, { channel: 'email', email: stranger });
    await sweepCallbacks(test);
    expect(await callRow(test, entry.call_id)).toMatchObject({ callback_status: 'requested' });
    expect(await callbackRow(test, entry.call_id)).toMatchObject({
      attempts: 0,
      next_attempt_at: secondsAfter(invited_at, 900),
    });
    expect(await mailsTo(stranger)).toEqual([]);
    test.clock.advance(901);
    expect(await untilCallback(test, entry.call_id, 'invited')).toMatchObject({ rank_at: row.rank_at });
    expect(await mailsTo(stranger)).toHaveLength(1);
  });

  it('is not sent to a customer who left or waits on before it is sent', async () => {
    peer.refuseMessages(1000, 451);
    const { entry, email } = await invitedCustomer();
    expect((await cancelCallback(test, entry)).status).toBe(204);
    // As long as the message is refused, its job ends only without sending it.
    expect(await mailsTo(email)).toEqual([]);
  });

  it('waits for a day on which the company may send mails', async () => {
    const free = await TestTenant.register(test, 'free');
    const queue = await unstaffedCallingQueue(free);
    const entry = await free.join(queue.link as { token: string });
    await callbackRequested(test, entry);
    await useMails(test, free.id, 20);
    await agentOnCall(free, [queue.department.id], queue.link);
    await sweepCallbacks(test);
    expect(await callRow(test, entry.call_id)).toMatchObject({ callback_status: 'requested' });
    expect(await callbackRow(test, entry.call_id)).toMatchObject({ attempts: 0, invited_at: null });
    test.clock.advance(86_400);
    await untilCallback(test, entry.call_id, 'invited');
  });

  it('leaves no link in the database', async () => {
    const { email } = await invitedCustomer();
    const [mail] = (await mailsTo(email)) as [ReceivedMail];
    expect(await tablesContaining(test, tokenOf(urlIn(mail)))).toEqual([]);
  });
});

describe('the address of a callback', () => {
  it('is exported and erased with the customer', async () => {
    const { entry, email } = await invitedCustomer();
    const { customer_id } = await callRow(test, entry.call_id);
    const exported = await tenant.owner.api.get(`/api/v1/customers/${customer_id}/export`);
    expect(JSON.stringify(exported.body)).toContain(email);
    await test.api.as(entry.websocket_token).post(`/api/v1/call/cancel/${entry.call_id}`);
    expectStatus(await tenant.owner.api.post(`/api/v1/customers/${customer_id}/erase`), 200);
    await waitForMails(test);
    expect(await tablesContaining(test, email)).toEqual([]);
  });

  it.each(['requested', 'invited'])(
    'goes from a call that is taken from an erased customer, and a callback that is %s ends',
    async (status) => {
      const email = newAddress();
      const created = await tenant.owner.api.post('/api/v1/customers', { name: 'Vera', email });
      expectStatus(created, 201);
      if (status === 'requested') ({ link } = await unstaffedCallingQueue(tenant));
      const entry = await join({ name: 'Mallory', email });
      await callbackRequested(test, entry, { channel: 'email', email });
      if (status === 'invited') await untilCallback(test, entry.call_id, 'invited');
      const sent = status === 'invited' ? 1 : 0;
      expect(await mailsTo(email)).toHaveLength(sent);
      const { version } = await callRow(test, entry.call_id);

      expectStatus(await tenant.owner.api.post(`/api/v1/customers/${created.body.data.id}/erase`), 200);
      expect(await callRow(test, entry.call_id)).toMatchObject({
        status: 'queued',
        customer_id: null,
        callback_status: 'cancelled',
        callback_invited_until: null,
        absence_deadline: expect.any(Date),
        wait_deadline: expect.any(Date),
        version: version + 2,
      });
      expect(await tablesContaining(test, email)).toEqual([]);
      await sweepCallbacks(test);
      expect(await mailsTo(email)).toHaveLength(sent);
      // The call goes on: its customer can ask for another one, at an address of their own.
      await callbackRequested(test, entry, { channel: 'email', email: newAddress() });
    },
  );

  it('is not that of the customer after a merge', async () => {
    const { entry } = await invitedCustomer();
    const other = await join({ email: newAddress() });
    const [duplicate, primary] = [
      (await callRow(test, entry.call_id)).customer_id,
      (await callRow(test, other.call_id)).customer_id,
    ];
    const merge = { primary_id: primary, duplicate_ids: [duplicate] };
    expectStatus(await tenant.owner.api.post('/api/v1/customers/merge', merge), 200);
    const exported = await tenant.owner.api.get(`/api/v1/customers/${primary}/export`);
    expect(JSON.stringify(exported.body)).toContain((await callbackRow(test, entry.call_id)).email);
  });
});

describe('an invitation', () => {
  it('is made for as many customers as there are free agents, and one more', async () => {
    const entries = [await join(), await join(), await join()];
    for (const entry of entries) await callbackRequested(test, entry);
    await untilCallback(test, entries[0]?.call_id, 'invited');
    await sweepCallbacks(test);
    expect(await callRow(test, entries[1]?.call_id)).toMatchObject({ callback_status: 'requested' });
    // The first one is invited; the second one keeps waiting until the first has left.
    await test.api.as(entries[0]?.websocket_token).post(`/api/v1/call/cancel/${entries[0]?.call_id}`);
    await untilCallback(test, entries[1]?.call_id, 'invited');
    expect(await callRow(test, entries[2]?.call_id)).toMatchObject({ callback_status: 'requested' });
  });

  it('is not made by a suspended company', async () => {
    const other = await TestTenant.register(test);
    const queue = await callingQueue(other);
    const first = await other.join(queue.link as { token: string });
    await changeCall(test, first.call_id, { absence_deadline: null });
    const entry = await other.join(queue.link as { token: string });
    await callbackRequested(test, entry);
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [other.id]);
    // It is the first of the line now.
    await changeCall(test, entry.call_id, { rank_at: secondsAfter(test.clock.now(), -3600) });
    await sweepCallbacks(test);
    expect(await callRow(test, entry.call_id)).toMatchObject({ callback_status: 'requested' });
    await test.db.query('UPDATE tenants SET suspended_at = NULL WHERE id = $1', [other.id]);
    await untilCallback(test, entry.call_id, 'invited');
  });
});
