import { Client } from 'pg';
import { PreparingClient } from '../../src/platform/database/connections/preparing-client';
import { expectStatus, type Member, PASSWORD, TestTenant } from '../support/builders';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

interface RecordedTransaction {
  texts: string[];
  /** How often it sent statements that had waited for the results of others. */
  roundTrips: number;
}

type Query = (...args: unknown[]) => Promise<unknown>;

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let link: Json;
let transactions: RecordedTransaction[] = [];

beforeAll(async () => {
  test = await sharedTestApp();
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
  const query = PreparingClient.prototype.query as unknown as Query;
  const open = new Map<Client, RecordedTransaction & { isWaiting: boolean }>();
  const record = function (this: Client, ...args: unknown[]): unknown {
    const [statement] = args as [string | { text: string }];
    const text = typeof statement === 'string' ? statement : statement.text;
    if (text === 'BEGIN') open.set(this, { texts: [], roundTrips: 0, isWaiting: false });
    const current = open.get(this);
    if (!current) return query.apply(this, args);
    current.texts.push(text);
    if (!current.isWaiting) current.roundTrips++;
    current.isWaiting = true;
    if (text === 'COMMIT') {
      transactions.push(current);
      open.delete(this);
    }
    const result = query.apply(this, args);
    const stopWaiting = () => (current.isWaiting = false);
    void result.then(stopWaiting, stopWaiting);
    return result;
  };
  jest.spyOn(PreparingClient.prototype, 'query').mockImplementation(record);
}

/** The round trips of the one transaction whose statements include one that contains the text. */
function roundTripsOf(text: string): number {
  const found = transactions.filter(({ texts }) => texts.some((one) => one.includes(text)));
  expect(found).toHaveLength(1);
  return found[0]?.roundTrips ?? 0;
}

const act = async (callId: string, action: string) =>
  expectStatus(await agent.api.post(`/api/v1/calls/${callId}/${action}`), 200);

describe('round trips of the transaction', () => {
  it('of a join', async () => {
    await tenant.join(link);
    expect(roundTripsOf('INSERT INTO calls')).toBeLessThanOrEqual(6);
  });

  it('of a join of a known customer', async () => {
    const contact = { email: 'ana@customers.example', phone: '+55 11 91234-5678' };
    await tenant.join(link, contact);
    transactions = [];
    await tenant.join(link, contact);
    expect(roundTripsOf('INSERT INTO calls')).toBeLessThanOrEqual(6);
  });

  it('of a join with priority, which counts the calls before it, and of one with skills', async () => {
    const { department, link: ordinary } = await tenant.queue();
    await tenant.join(ordinary);
    const skill = await tenant.owner.api.post('/api/v1/skills', { name: 'Portuguese' });
    expectStatus(skill, 201);
    const skills = [{ skill_id: skill.body.data.id, min_level: 3 }];
    const skilled = await tenant.link(department.id, { skills });
    const preferred = await tenant.link(department.id, { priority: 1 });
    transactions = [];
    await tenant.join(skilled);
    expect(roundTripsOf('INSERT INTO calls')).toBeLessThanOrEqual(6);
    transactions = [];
    await tenant.join(preferred);
    expect(roundTripsOf('INSERT INTO calls')).toBeLessThanOrEqual(7);
  });

  it('of each step of a call', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    transactions = [];
    await act(call_id, 'assign');
    expect(roundTripsOf('UPDATE calls SET status')).toBeLessThanOrEqual(4);
    transactions = [];
    await act(call_id, 'start');
    expect(roundTripsOf('UPDATE calls SET status')).toBeLessThanOrEqual(5);
    transactions = [];
    await act(call_id, 'complete');
    expect(roundTripsOf('UPDATE calls SET status')).toBeLessThanOrEqual(4);
    transactions = [];
    const path = `/api/v1/call/evaluate/${call_id}`;
    expectStatus(await test.api.post(path, { rating: 5 }, { token: websocket_token }), 200);
    expect(roundTripsOf('UPDATE calls SET rating')).toBeLessThanOrEqual(4);
  });

  it('of a login', async () => {
    const { email } = agent;
    expectStatus(
      await test.api.post('/api/auth/login', { tenant: tenant.slug, email, password: PASSWORD }),
      200,
    );
    expect(roundTripsOf('INSERT INTO sessions')).toBe(1);
  });
});
