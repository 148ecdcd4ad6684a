import { Client } from 'pg';
import { PipelinedQuery } from '../../src/platform/database/reads/pipelined-query';
import { PreparingClient } from '../../src/platform/database/connections/preparing-client';
import { expectStatus, type Member, PASSWORD, TestTenant } from '../support/builders';
import { createWebhook } from '../support/contexts/webhooks';
import type { Json } from '../support/http/api';
import { closingSockets } from '../support/sockets/connect-sockets';
import { startTestApp, type TestApp } from '../support/test-app';

interface RecordedTransaction {
  texts: string[];
  /** How often it sent statements that had waited for the results of others. */
  roundTrips: number;
}

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let link: Json;
let transactions: RecordedTransaction[] = [];

beforeAll(async () => {
  // The transactions of the whole process are recorded, and the shared application may handle calls of other specs.
  test = await startTestApp();
  tenant = await TestTenant.register(test);
  agent = await tenant.member();
  ({ link } = await tenant.queue());
});

afterAll(() => test.close());

beforeEach(() => {
  transactions = [];
  recordTransactions();
});

afterEach(() => jest.restoreAllMocks());

/** Records the transactions of all connections that begin from now on. */
function recordTransactions(): void {
  const send = PreparingClient.prototype.query as unknown as (...args: unknown[]) => unknown;
  const open = new Map<Client, RecordedTransaction & { isWaiting: boolean }>();
  const record = function (this: Client, ...args: unknown[]): unknown {
    const [query] = args;
    if (!(query instanceof PipelinedQuery)) return send.apply(this, args);
    const texts = query.statements.map(({ text }) => text);
    if (texts[0] === 'BEGIN') open.set(this, { texts: [], roundTrips: 0, isWaiting: false });
    const current = open.get(this);
    if (!current) return send.apply(this, args);
    current.texts.push(...texts);
    if (!current.isWaiting) current.roundTrips++;
    current.isWaiting = true;
    if (texts.at(-1) === 'COMMIT') {
      transactions.push(current);
      open.delete(this);
    }
    const { callback } = query;
    query.callback = (...results) => {
      current.isWaiting = false;
      callback(...results);
    };
    return send.apply(this, args);
  };
  jest.spyOn(PreparingClient.prototype, 'query').mockImplementation(record);
}

interface Cost {
  roundTrips: number;
  /** How often the row of the call was updated. */
  updates: number;
}

/** @returns the cost of the one transaction of `action` that sends a statement with this text */
async function costOf(action: () => Promise<unknown>, text: string): Promise<Cost> {
  transactions = [];
  await action();
  const found = transactions.filter(({ texts }) => texts.some((one) => one.includes(text)));
  expect(found).toHaveLength(1);
  const { roundTrips, texts } = found[0];
  return { roundTrips, updates: texts.filter((one) => one.startsWith('UPDATE calls SET')).length };
}

async function expectRoundTrips(count: number, action: () => Promise<unknown>, text: string): Promise<void> {
  expect((await costOf(action, text)).roundTrips).toBe(count);
}

/** Performs a step of a call, and checks how often it waits and updates the call. */
async function expectStep(cost: Cost, member: Member, path: string, body?: object): Promise<void> {
  const action = async () => expectStatus(await member.api.post(`/api/v1/calls/${path}`, body), 200);
  expect(await costOf(action, 'UPDATE calls SET status')).toEqual(cost);
}

const rate = async ({ call_id, websocket_token }: Json) =>
  expectStatus(
    await test.api.post(`/api/v1/call/evaluate/${call_id}`, { rating: 5 }, { token: websocket_token }),
    200,
  );

const CONTACT = { email: 'ana@customers.example', phone: '+55 11 91234-5678' };

describe('round trips of the transaction', () => {
  it('of a join', () => expectRoundTrips(2, () => tenant.join(link), 'INSERT INTO calls'));

  it('of a join of a known customer', async () => {
    await tenant.join(link, CONTACT);
    await expectRoundTrips(2, () => tenant.join(link, CONTACT), 'INSERT INTO calls');
  });

  it('of a join with priority, which counts the calls before it, and of one with skills', async () => {
    const { department, link: ordinary } = await tenant.queue();
    await tenant.join(ordinary);
    const skill = await tenant.owner.api.post('/api/v1/skills', { name: 'Portuguese' });
    expectStatus(skill, 201);
    const skills = [{ skill_id: skill.body.data.id, min_level: 3 }];
    const skilled = await tenant.link(department.id, { skills });
    const preferred = await tenant.link(department.id, { priority: 1 });
    await expectRoundTrips(2, () => tenant.join(skilled), 'INSERT INTO calls');
    await expectRoundTrips(3, () => tenant.join(preferred), 'INSERT INTO calls');
  });

  it('of each step of a call', async () => {
    const call = await tenant.join(link);
    await expectStep({ roundTrips: 3, updates: 1 }, agent, `${call.call_id}/assign`);
    await expectStep({ roundTrips: 3, updates: 1 }, agent, `${call.call_id}/start`);
    await expectStep({ roundTrips: 3, updates: 1 }, agent, `${call.call_id}/complete`);
    await expectRoundTrips(2, () => rate(call), 'UPDATE calls SET rating');
  });

  it('that completes or starts a waiting call, which it assigns first', async () => {
    const [first, second] = [await tenant.join(link), await tenant.join(link)];
    await expectStep({ roundTrips: 4, updates: 2 }, agent, `${first.call_id}/complete`);
    await expectStep({ roundTrips: 4, updates: 2 }, agent, `${second.call_id}/start`);
    expectStatus(await agent.api.post(`/api/v1/calls/${second.call_id}/complete`), 200);
  });

  describe('with a limited plan, a webhook and open sockets', () => {
    const { connect } = closingSockets(() => test.url);

    it('of each step of a call', async () => {
      const limited = await TestTenant.register(test, 'professional');
      const queue = await limited.queue();
      const [first, second] = [await limited.member('supervisor'), await limited.member('supervisor')];
      const events = ['call.queued', 'call.assigned', 'call.started', 'call.completed', 'call.rated'];
      await createWebhook(limited, undefined, events);
      await connect(first.token);
      await connect(second.token);
      await limited.join(queue.link, CONTACT);
      let call: Json;
      const join = async () => (call = await limited.join(queue.link, CONTACT));
      await expectRoundTrips(3, join, 'INSERT INTO calls');
      const { call_id, websocket_token } = call;
      await connect(websocket_token);
      await expectStep({ roundTrips: 4, updates: 1 }, first, `${call_id}/assign`);
      // A hand-over.
      await expectStep({ roundTrips: 4, updates: 1 }, first, `${call_id}/assign`, { user_id: second.id });
      await expectStep({ roundTrips: 5, updates: 1 }, second, `${call_id}/start`);
      await expectStep({ roundTrips: 4, updates: 1 }, second, `${call_id}/complete`);
      await expectRoundTrips(3, () => rate(call), 'UPDATE calls SET rating');
    });
  });

  it('writes the events, the timeline and the audit log by one statement, before COMMIT', async () => {
    const { call_id } = await tenant.join(link);
    transactions = [];
    // A waiting call is assigned and started in one transaction.
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
    const start = transactions.find(({ texts }) => texts.some((one) => one.includes('UPDATE calls SET')));
    const texts = start?.texts ?? [];
    for (const table of ['domain_events', 'call_timeline', 'audit_log'])
      expect(texts.filter((text) => text.includes(`INTO ${table}`))).toEqual([texts.at(-2)]);
    expect(texts.at(-1)).toBe('COMMIT');
    const { rows } = await test.db.query('SELECT type FROM call_timeline WHERE call_id = $1 ORDER BY id', [
      call_id,
    ]);
    expect(rows.map(({ type }) => type)).toEqual(['joined', 'assigned', 'started']);
  });

  it('of a login', async () => {
    const credentials = { tenant: tenant.slug, email: agent.email, password: PASSWORD };
    const logIn = async () => expectStatus(await test.api.post('/api/auth/login', credentials), 200);
    expect((await costOf(logIn, 'INSERT INTO sessions')).roundTrips).toBe(1);
    const writes = transactions.flatMap(({ texts }) =>
      texts.filter((text) => text.includes('login_addresses')),
    );
    expect(writes).toEqual([expect.stringContaining('INSERT INTO sessions')]);
  });
});
