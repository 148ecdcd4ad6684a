import { CallbackInviter } from '../../src/routing/callbacks/callback-inviter';
import { type DueCallback, DueCallbacks } from '../../src/routing/callbacks/due-callbacks';
import { agentOnCall, expectStatus, TestTenant } from '../support/builders';
import {
  callbackRequested,
  callbackRow,
  callingQueue,
  cancelCallback,
  requestCallback,
  resume,
  sweepCallbacks,
  tokenOf,
  unstaffedCallingQueue,
  untilCallback,
} from '../support/contexts/callbacks';
import { waitForMails } from '../support/contexts/password-links';
import { callRow, oneTo } from '../support/database/rows';
import type { Answer, Json } from '../support/http/api';
import { type ReceivedMail, SmtpPeer } from '../support/peers/smtp-peer';
import { startTestApp, type TestApp } from '../support/test-app';

/** Of the 20 mails that the plan `free` allows a day: half, and what strangers get of it. */
const MAX_CALLBACKS = 10;
const MAX_STRANGERS = 8;
const MAX_PER_MAILBOX = 3;
const DAY_SECONDS = 86_400;

let peer: SmtpPeer;
/** Two instances of the service on one database. */
let test: TestApp;
let other: TestApp;
let tenant: TestTenant;
let department: Json;
let link: Json;
let counter = 0;

beforeAll(async () => {
  peer = await SmtpPeer.start();
  const env = { SMTP_URL: peer.url(), PUBLIC_URL: 'https://calls.example.com' };
  test = await startTestApp({ env });
  other = await startTestApp({ env, databaseUrl: test.databaseUrl });
});

/** A company of the plan free, which has one department. */
async function freeCompany(): Promise<void> {
  tenant = await TestTenant.register(test, 'free');
  ({ department, link } = await unstaffedCallingQueue(tenant, { max_queue_size: 100 }));
}

afterEach(() => [test, other].forEach(({ clock }) => clock.reset()));

afterAll(async () => {
  await other.close();
  await test.close();
  await peer.stop();
});

const newAddress = () => `stranger${++counter}@example.com`;
const join = (input: Json = {}): Promise<Json> => tenant.join(link as { token: string }, input);
const joins = (count: number): Promise<Json[]> => Promise.all(oneTo(count).map(() => join()));
const request = (entry: Json, email = newAddress(), app = test) =>
  requestCallback(app, entry, { channel: 'email', email });
const accepted = (answers: Answer[]) => answers.filter(({ status }) => status === 200).length;

/** Sends requests to both instances at once. */
const requestAll = (entries: Json[], emailOf: (index: number) => string): Promise<Answer[]> =>
  Promise.all(entries.map((entry, index) => request(entry, emailOf(index), index % 2 ? other : test)));

function expectLimit(answer: Answer): void {
  expect([answer.status, answer.body.errors.code]).toEqual([422, 'callback_limit']);
}

/** A customer asked for a callback to the address, and came back by the link of the mail. */
async function returnByMail(email: string): Promise<void> {
  const entry = await join();
  await callbackRequested(test, entry, { channel: 'email', email });
  await agentOnCall(tenant, [department.id], link);
  await untilCallback(test, entry.call_id, 'invited');
  await waitForMails(test);
  const url =
    /https:\/\/calls\.example\.com\/c\/\S+/.exec(peer.messagesTo(email).at(-1)?.text ?? '')?.[0] ?? '';
  expectStatus(await resume(test, tokenOf(url)), 200);
}

describe('callbacks of strangers', () => {
  beforeEach(freeCompany);

  it('leave half of the allowance, also when two instances are asked at once, and who is refused keeps the place', async () => {
    const entries = await joins(24);
    const before = await Promise.all(entries.map(({ call_id }) => callRow(test, call_id)));
    const answers = await requestAll(entries, newAddress);
    expect(accepted(answers)).toBe(MAX_STRANGERS);
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 200) continue;
      expectLimit(answer);
      const { call_id } = entries[index] ?? {};
      const { status, callback_status, rank_at, wait_deadline, absence_deadline, version } =
        before[index] ?? {};
      const unchanged = { status, callback_status, rank_at, wait_deadline, absence_deadline, version };
      expect(await callRow(test, call_id)).toMatchObject(unchanged);
      expect(await callbackRow(test, call_id)).toBeUndefined();
    }
  });

  it('are refused before those of addresses from which somebody has returned by the link of a mail', async () => {
    const known = newAddress();
    await returnByMail(known);
    const entries = await joins(MAX_CALLBACKS + 2);
    const answers = await requestAll(entries.slice(0, MAX_CALLBACKS), newAddress);
    // One mail was sent before.
    expect(accepted(answers)).toBe(MAX_STRANGERS - 1);
    const [one = {}, two = {}] = entries.slice(MAX_CALLBACKS);
    expectLimit(await request(one));
    expectStatus(await request(one, known), 200);
    expectStatus(await request(two, known.toUpperCase()), 200);
    // Half of the allowance.
    const other = newAddress();
    await test.db.query(
      `INSERT INTO callback_mails (tenant_id, call_id, mailbox, sent_at, day, returned_at)
       VALUES ($1, $2, $3, now(), '2026-01-01', now())`,
      [tenant.id, one.call_id, other],
    );
    expectLimit(await request(await join(), other));
    expect((await cancelCallback(test, two)).status).toBe(204);
    expectStatus(await request(await join(), other), 200);
  });

  it('are free again when they are taken back or their calls end', async () => {
    const entries = await joins(MAX_STRANGERS);
    const [first = {}, second = {}, third = {}] = entries;
    for (const entry of entries) expectStatus(await request(entry), 200);
    const late = await join();
    expectLimit(await request(late));
    expect((await cancelCallback(test, first)).status).toBe(204);
    expectStatus(await request(late), 200);
    expectLimit(await request(first));
    expectStatus(
      await test.api.as(second.websocket_token).post(`/api/v1/call/cancel/${second.call_id}`),
      200,
    );
    expectStatus(await request(first), 200);
    // The same call counts once, whatever its address.
    expectStatus(await request(third), 200);
  });

  it('make a join fail that asks for one while the department is closed', async () => {
    const entries = await joins(MAX_STRANGERS);
    for (const entry of entries) expectStatus(await request(entry), 200);
    const body = { name: 'Clara', callback: { channel: 'email', email: newAddress() } };
    expectLimit(await test.api.post(`/api/v1/call/${link.token}/join`, body));
    expectStatus(await test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Clara' }), 200);
  });

  it('do not count for another company', async () => {
    for (const entry of await joins(MAX_STRANGERS)) expectStatus(await request(entry), 200);
    await freeCompany();
    expectStatus(await request(await join()), 200);
  });
});

const paidCompany = async () => {
  tenant = await TestTenant.register(test);
};

describe('one address', () => {
  beforeEach(paidCompany);

  it('gets three mails a day from one company, however it is written and however many ask at once', async () => {
    ({ link } = await unstaffedCallingQueue(tenant));
    const email = newAddress();
    const spellings = [email, email.toUpperCase(), email.replace('@', '+news@'), email.replace('@', '+2@')];
    const answers = await requestAll(await joins(8), (index) => spellings[index % 4] ?? email);
    expect(accepted(answers)).toBe(MAX_PER_MAILBOX);
    const gmail = ['b.ia@gmail.com', 'bia+1@gmail.com', 'b\u00eda@googlemail.com', 'b.i.a@Gmail.com'];
    const others = await requestAll(await joins(4), (index) => gmail[index] ?? '');
    expect(accepted(others)).toBe(MAX_PER_MAILBOX);
    answers.filter(({ status }) => status !== 200).forEach(expectLimit);
    expectStatus(await request(await join()), 200);
  });

  it('also gets no more by further invitations of a call until the day of the company ends', async () => {
    // 10:00 of the company.
    test.clock.advance((Date.UTC(2100, 0, 1, 13) - test.clock.now().getTime()) / 1000);
    await paidCompany();
    ({ link } = await callingQueue(tenant, {
      callback_attempts: 5,
      callback_window: 60,
      max_wait_time: 86_400,
    }));
    const email = newAddress();
    const entry = await join();
    expectStatus(await request(entry, email), 200);
    for (const _ of oneTo(MAX_PER_MAILBOX)) {
      await untilCallback(test, entry.call_id, 'invited');
      await waitForMails(test);
      test.clock.advance(61);
      await untilCallback(test, entry.call_id, 'requested');
      test.clock.advance(901);
    }
    await sweepCallbacks(test);
    expect(await callRow(test, entry.call_id)).toMatchObject({
      status: 'queued',
      callback_status: 'requested',
    });
    await waitForMails(test);
    expect(peer.messagesTo(email)).toHaveLength(MAX_PER_MAILBOX);
    // Midnight of UTC.
    test.clock.advance((Date.UTC(2100, 0, 2, 1) - test.clock.now().getTime()) / 1000);
    await sweepCallbacks(test);
    await sweepCallbacks(test);
    expect(await callRow(test, entry.call_id)).toMatchObject({ callback_status: 'requested' });
    test.clock.advance(DAY_SECONDS / 12);
    await untilCallback(test, entry.call_id, 'invited');
    await waitForMails(test);
    expect(peer.messagesTo(email)).toHaveLength(MAX_PER_MAILBOX + 1);
  });

  it('is not known because its call was returned to by the link of another address', async () => {
    ({ link } = await callingQueue(tenant, { callback_window: 60 }));
    const [own, victim] = [newAddress(), newAddress()];
    const entry = await join();
    expectStatus(await request(entry, own), 200);
    await untilCallback(test, entry.call_id, 'invited');
    test.clock.advance(61);
    await untilCallback(test, entry.call_id, 'requested');
    expectStatus(await request(entry, victim), 200);
    test.clock.advance(901);
    await untilCallback(test, entry.call_id, 'invited');
    await waitForMails(test);
    const [mail] = peer.messagesTo(own) as [ReceivedMail];
    const url = /https:\/\/calls\.example\.com\/c\/\S+/.exec(mail.text)?.[0] ?? '';
    expectStatus(await resume(test, tokenOf(url)), 200);
    const { rows } = await test.db.query('SELECT returned_at FROM callback_mails WHERE call_id = $1', [
      entry.call_id,
    ]);
    expect(rows).toEqual([{ returned_at: null }, { returned_at: null }]);
  });
});

/** A callback that is requested from a company of its own. */
const callbackOfCompany = async (): Promise<DueCallback> => {
  await paidCompany();
  ({ link } = await callingQueue(tenant));
  const entry = await join();
  expectStatus(await request(entry), 200);
  return { tenant_id: tenant.id, call_id: entry.call_id };
};

it('a company whose mails of the day are locked does not hold up the callbacks of others', async () => {
  const due: DueCallback[] = [];
  const spies = [test, other].map((app) => jest.spyOn(app.get(DueCallbacks), 'find'));
  for (const spy of spies) {
    spy.mockImplementation(async function* () {
      yield* due;
    });
  }
  const [locked, free] = [await callbackOfCompany(), await callbackOfCompany()];
  await test.db.query(`BEGIN; SELECT FROM mail_usage WHERE tenant_id = '${locked.tenant_id}' FOR UPDATE`);
  try {
    const begin = performance.now();
    due.push(locked, locked, free);
    await test.get(CallbackInviter).sweep();
    await untilCallback(test, free.call_id, 'invited');
    expect(performance.now() - begin).toBeLessThan(5000);
    expect(await callRow(test, locked.call_id)).toMatchObject({ callback_status: 'requested' });
  } finally {
    await test.db.query('COMMIT');
  }
  await untilCallback(test, locked.call_id, 'invited');
  for (const spy of spies) spy.mockRestore();
});

describe('the mail of a callback', () => {
  beforeEach(paidCompany);

  it.each([
    ['pt-BR', 'Olá, Ganhe.', 'Olá.'],
    ['en', 'Hello Ganhe,', 'Hello,'],
    ['es', 'Hola, Ganhe:', 'Hola:'],
  ])('in %s says nothing that the customer has typed but a first name', async (language, named, neutral) => {
    expectStatus(await tenant.owner.api.put('/api/v1/tenant', { language }), 200);
    const TEXTS = ['Ganhe um prêmio: ligue 0800 555 ou evil.example', 'evil.example/win <b>x</b> clique'];
    for (const [index, name] of TEXTS.entries()) {
      const queue = await callingQueue(tenant);
      const email = newAddress();
      const entry = await tenant.join(queue.link as { token: string }, { name, reason: 'clique 0800' });
      expectStatus(await request(entry, email), 200);
      await untilCallback(test, entry.call_id, 'invited');
      await waitForMails(test);
      const [mail] = peer.messagesTo(email) as [ReceivedMail];
      expect(mail.text.split('\n')[0]).toBe([named, neutral][index]);
      expect(mail.to).toEqual([{ name: ['Ganhe', ''][index], address: email }]);
      expect([mail.subject, mail.text, mail.html].join()).not.toMatch(/prêmio|0800|evil|clique/);
    }
  });
});

describe('the mails of callbacks', () => {
  beforeEach(paidCompany);

  it('are exported and erased with the customer', async () => {
    ({ link } = await callingQueue(tenant));
    const email = newAddress();
    const entry = await join();
    expectStatus(await request(entry, email), 200);
    await untilCallback(test, entry.call_id, 'invited');
    const { customer_id } = await callRow(test, entry.call_id);
    const exported = await tenant.owner.api.get(`/api/v1/customers/${customer_id}/export`);
    expect(exported.body.data.callback_mails).toMatchObject([{ call_id: entry.call_id, mailbox: email }]);
    await test.api.as(entry.websocket_token).post(`/api/v1/call/cancel/${entry.call_id}`);
    expectStatus(await tenant.owner.api.post(`/api/v1/customers/${customer_id}/erase`), 200);
    const { rows } = await test.db.query('SELECT FROM callback_mails WHERE call_id = $1', [entry.call_id]);
    expect(rows).toEqual([]);
  });
});
