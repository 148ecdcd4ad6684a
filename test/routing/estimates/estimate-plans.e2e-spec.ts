import { departmentQueueSql, LAST_RANK_COLUMNS } from '../../../src/calls/queue/department-queue-sql';
import { POSITION_SQL, POSITIONS_SQL } from '../../../src/calls/queue/position-sql';
import { lineSql } from '../../../src/calls/queue/queue-sql';
import { Database } from '../../../src/platform/database/database';
import { TestTenant } from '../../support/builders';
import { insertWaitingCalls } from '../../support/contexts/line';
import { entriesRead, nodesReading, type PlanNode, planOf } from '../../support/database/plans';
import { startTestApp, type TestApp } from '../../support/test-app';

/** Calls that have ended. */
const ENDED = 20_000;
/** Waiting calls of each department. */
const WAITING = 1000;

let test: TestApp;
let tenant: TestTenant;
let alone: string;
let shared: string;

/** The agent of a department serves it alone; that of two others serves both. */
beforeAll(async () => {
  test = await startTestApp();
  tenant = await TestTenant.register(test);
  alone = (await tenant.department()).id;
  shared = (await tenant.department()).id;
  const other = (await tenant.department()).id;
  await tenant.member('attendant', [alone]);
  await tenant.member('attendant', [shared, other]);
  await makeAgentsBusy();
  for (const id of [alone, shared, other]) await insertWaitingCalls(test, tenant.id, id, WAITING);
  await test.db.query(
    `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, estimated_wait_time, ended_at,
       inserted_at, updated_at)
     SELECT $1, 'cancelled', $2, 'Sales', 'Eva', 0, now(), now(), now() FROM generate_series(1, $3::int)`,
    [tenant.id, alone, ENDED],
  );
  for (const table of ['calls', 'line_entries', 'departments', 'presences', 'department_members'])
    await test.db.query(`VACUUM ANALYZE ${table}`);
});

// Agents without a connection do not stay busy for long.
beforeEach(makeAgentsBusy);

afterAll(() => test.close());

async function makeAgentsBusy(): Promise<void> {
  await test.db.query(`UPDATE presences SET state = 'on_call', announced = 'busy' WHERE tenant_id = $1`, [
    tenant.id,
  ]);
}

async function readingCalls(text: string, values: unknown[]): Promise<PlanNode[]> {
  const plan = await test.get(Database).tenant(tenant.id, (tx) => planOf(tx, { text, values }));
  const nodes = nodesReading(plan, 'calls');
  expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
  return nodes;
}

const callsRead = async (text: string, values: unknown[]) => entriesRead(await readingCalls(text, values));

/** How often a node was executed that reads the other lines of agents. */
async function readsOfOthers(departmentId: string): Promise<number> {
  const nodes = await readingCalls(lineSql(false), [tenant.id, departmentId]);
  const others = nodes.filter((node) => JSON.stringify(node).includes('others'));
  expect(others).toHaveLength(2);
  return others.reduce((sum, node) => sum + (node['Actual Loops'] ?? 0), 0);
}

/** The last call of the department. */
async function lastCall(departmentId: string): Promise<string> {
  const { rows } = await test.db.query(
    `SELECT id FROM calls WHERE department_id = $1 AND status = 'queued'
     ORDER BY rank_at DESC, queue_number DESC LIMIT 1`,
    [departmentId],
  );
  return rows[0].id;
}

describe('estimates of waits read', () => {
  it('the line of the department, and other lines only if its agents serve these', async () => {
    expect(await readsOfOthers(alone)).toBe(0);
    expect(await readsOfOthers(shared)).toBe(2);
    expect(await callsRead(lineSql(false), [tenant.id, shared])).toBeLessThanOrEqual(4 * WAITING);
  });

  it('for one call its line, and the calls ahead of it in all lines if agents are shared', async () => {
    expect(await callsRead(POSITION_SQL, [await lastCall(alone)])).toBe(1 + WAITING);
    expect(await callsRead(POSITION_SQL, [await lastCall(shared)])).toBe(1 + WAITING + 2 * WAITING);
  });

  it('for several calls each line once, and all lines of shared agents once more', async () => {
    const ids = [await lastCall(alone), await lastCall(shared)];
    // PostgreSQL may read all waiting calls of the company for both lines.
    expect(await callsRead(POSITIONS_SQL, [tenant.id, ids])).toBeLessThanOrEqual(2 + (3 + 2) * WAITING);
  });

  it('at the join no line, whoever serves it', async () => {
    for (const id of [alone, shared])
      expect(await callsRead(departmentQueueSql(undefined, LAST_RANK_COLUMNS), [id])).toBeLessThanOrEqual(2);
  });
});
