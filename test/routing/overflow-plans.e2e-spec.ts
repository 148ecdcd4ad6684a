import { dueOverflowsStatement } from '../../src/calls/overflow/due-overflows';
import { POSITION_SQL } from '../../src/calls/queue/position-sql';
import { FIRST_CALLS_SQL, lineSql } from '../../src/calls/queue/queue-sql';
import { Database } from '../../src/platform/database/database';
import type { Statement } from '../../src/platform/database/statement';
import { AgentsOfCalls } from '../../src/routing/dispatch/agents-of-calls';
import { findCallStatement } from '../../src/routing/dispatch/find-call';
import { type Member, TestTenant } from '../support/builders';
import { insertWaitingCalls } from '../support/contexts/line';
import { stopDistribution } from '../support/contexts/offers';
import { type OverflowingQueue, overflowingQueue } from '../support/contexts/overflow';
import { entriesRead, nodesReading, type PlanNode, planOf } from '../support/database/plans';
import { startTestApp, type TestApp } from '../support/test-app';

/** Calls that have ended. */
const ENDED = 20_000;
/** Waiting calls of the department, and of the target. Every tenth call of the department has overflowed. */
const WAITING = 1000;
const OVERFLOWED = WAITING / 10;

let test: TestApp;
let tenant: TestTenant;
let queue: OverflowingQueue;
/** Members of the department, of the target and of both. */
let agents: Member[];

beforeAll(async () => {
  test = await startTestApp();
  await stopDistribution(test);
  tenant = await TestTenant.register(test);
  queue = await overflowingQueue(
    tenant,
    { overflow_after: 3600, routing: 'automatic' },
    { routing: 'automatic' },
  );
  const [own, target] = [queue.department.id, queue.target.id];
  agents = [];
  for (const ids of [[own], [target], [own, target]]) agents.push(await tenant.member('attendant', ids));
  for (const id of [own, target]) await insertWaitingCalls(test, tenant.id, id, WAITING);
  await test.db.query(
    `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, estimated_wait_time, ended_at,
       inserted_at, updated_at)
     SELECT $1, 'cancelled', $2, 'Sales', 'Eva', 0, now(), now(), now() FROM generate_series(1, $3::int)`,
    [tenant.id, own, ENDED],
  );
  await test.db.query(
    `UPDATE calls SET overflow_department_id = $2, overflowed_at = now()
     WHERE department_id = $1 AND status = 'queued' AND queue_number % 10 = 0`,
    [own, target],
  );
  await test.db.query(`UPDATE presences SET state = 'available', idle_since = now() WHERE tenant_id = $1`, [
    tenant.id,
  ]);
  for (const table of ['calls', 'line_entries', 'departments', 'presences'])
    await test.db.query(`VACUUM ANALYZE ${table}`);
});

afterAll(() => test.close());

const explain = (statement: Statement): Promise<PlanNode> =>
  test.get(Database).tenant(tenant.id, (tx) => planOf(tx, statement));
const typesOf = (nodes: PlanNode[]): string[] => [...new Set(nodes.map((node) => node['Node Type']))];
const idsOf = async (condition: string): Promise<string[]> => {
  const { rows } = await test.db.query<{ id: string }>(
    `SELECT id FROM calls WHERE tenant_id = $1 AND ${condition} ORDER BY queue_number`,
    [tenant.id],
  );
  return rows.map(({ id }) => id);
};

describe('with many waiting and overflowed calls', () => {
  it('a line is read by the indexes of its two parts', async () => {
    const calls = nodesReading(
      await explain({ text: lineSql(false), values: [tenant.id, queue.target.id] }),
      'calls',
    );
    expect(typesOf(calls)).not.toContain('Seq Scan');
    expect(entriesRead(calls)).toBe(WAITING + OVERFLOWED);
  });

  it('the first calls are read in their order, without the others', async () => {
    const values = [tenant.id, [queue.target.id], 50];
    const calls = nodesReading(await explain({ text: FIRST_CALLS_SQL, values }), 'calls');
    expect(typesOf(calls)).not.toContain('Seq Scan');
    // The counts read the line once.
    expect(entriesRead(calls)).toBeLessThan(WAITING + OVERFLOWED + 200);
  });

  it('the position of a call reads its own lines alone', async () => {
    const [plain] = await idsOf('overflow_department_id IS NULL');
    const own = nodesReading(await explain({ text: POSITION_SQL, values: [plain] }), 'calls');
    expect(typesOf(own)).not.toContain('Seq Scan');
    expect(entriesRead(own)).toBe(1 + WAITING);
    const [overflowed] = await idsOf('overflow_department_id IS NOT NULL');
    const both = nodesReading(await explain({ text: POSITION_SQL, values: [overflowed] }), 'calls');
    expect(entriesRead(both)).toBe(1 + WAITING + WAITING + OVERFLOWED);
  });

  it('a call is found by the first entries of the lanes', async () => {
    const statement = findCallStatement(tenant.id, agents[2]?.id ?? '', test.clock.now());
    const entries = nodesReading(await explain(statement), 'line_entries');
    expect(typesOf(entries)).not.toContain('Seq Scan');
    expect(entriesRead(entries)).toBeGreaterThan(2);
    expect(entriesRead(entries)).toBeLessThan(12);
  });

  it('the sweep reads no calls of departments that do not overflow', async () => {
    const read = async () => nodesReading(await explain(dueOverflowsStatement(test.clock.now())), 'calls');
    expect(entriesRead(await read())).toBe(WAITING);
    await test.db.query('UPDATE departments SET overflow_after = NULL WHERE id = $1', [queue.department.id]);
    expect(entriesRead(await read())).toBe(0);
  });
});

describe('the agents for a call in two lines', () => {
  it('are the best of each line, members of its own department first', async () => {
    const [callId] = await idsOf('overflow_department_id IS NOT NULL');
    const [own, ofTarget] = agents.map(({ id }) => id);
    const find = () => test.get(AgentsOfCalls).find(tenant.id, [callId ?? '']);
    const order = 'UPDATE presences SET idle_since = $2 WHERE user_id = $1';
    for (const [first, second] of [
      [own, ofTarget],
      [ofTarget, own],
    ]) {
      await test.db.query(order, [first, new Date(1)]);
      await test.db.query(order, [second, new Date(2)]);
      expect(await find()).toEqual([own, ofTarget]);
    }
  });
});
