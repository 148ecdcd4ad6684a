import { Call } from '../../src/calls/call.entity';
import { Database } from '../../src/platform/database/database';
import type { Statement } from '../../src/platform/database/statement';
import { agentsOfCallsStatement } from '../../src/routing/dispatch/agents-of-calls';
import { availableAgentsStatement } from '../../src/routing/dispatch/available-agents';
import { findCallStatement } from '../../src/routing/dispatch/find-call';
import { type Member, TestTenant } from '../support/builders';
import { createSkill, giveSkills } from '../support/contexts/skills';
import { entriesRead, nodesReading, type PlanNode, planOf } from '../support/database/plans';
import type { Json } from '../support/http/api';
import { startTestApp, type TestApp } from '../support/test-app';

const ALL_ZERO = '00000000-0000-0000-0000-000000000000';
const WAITING = 10_000;
const MEMBERS = 40;

let test: TestApp;
let tenant: TestTenant;
let departmentId: string;
let agent: Member;

/** 10,000 calls, three in four of which need one of three levels of a skill, and an agent with the second one. */
beforeAll(async () => {
  test = await startTestApp();
  tenant = await TestTenant.register(test);
  departmentId = (await tenant.queue()).department.id;
  agent = await tenant.member('attendant', [departmentId]);
  const skillId = await createSkill(tenant);
  await giveSkills(tenant, agent.id, { [skillId]: 2 });
  await insertMembers();
  await insertWaiting(skillId);
});

afterAll(() => test.close());

/** Colleagues who are available, and as many users of other departments. */
async function insertMembers(): Promise<void> {
  await test.db.query(
    `INSERT INTO users (tenant_id, name, email, role)
     SELECT $1, 'Agent ' || n, 'agent' || n || '@plans.example', 'attendant' FROM generate_series(1, $2::int) n`,
    [tenant.id, 2 * MEMBERS],
  );
  await test.db.query(
    `INSERT INTO department_members (tenant_id, department_id, user_id)
     SELECT $1, $2, id FROM users WHERE tenant_id = $1 AND email LIKE 'agent%@plans.example' ORDER BY email LIMIT $3`,
    [tenant.id, departmentId, MEMBERS],
  );
}

async function insertWaiting(skillId: string): Promise<void> {
  await test.db.query(
    `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, estimated_wait_time,
       required_skills, inserted_at, updated_at)
     SELECT $1, 'queued', $2, 'Sales', 'Eva', 0,
       CASE WHEN n % 4 = 0 THEN '[]' ELSE jsonb_build_array(jsonb_build_object('skill_id', $4::uuid, 'min_level', n % 4)) END,
       now(), now()
     FROM generate_series(1, $3::int) n`,
    [tenant.id, departmentId, WAITING, skillId],
  );
  for (const table of ['calls', 'line_entries', 'presences', 'users', 'department_members'])
    await test.db.query(`ANALYZE ${table}`);
}

/**
 * The nodes that read these tables for the statement, by table, under row-level security. Only this transaction sees
 * that agents are available, and that their department offers its calls, so the application does not.
 */
async function readsOf(statement: Statement): Promise<Record<'line_entries' | 'calls', PlanNode[]>> {
  const plan = await test.get(Database).tenant(tenant.id, async (tx) => {
    const change = async (state: string, routing: string) => {
      await tx.query('UPDATE presences SET state = $2 WHERE tenant_id = $1', [tenant.id, state]);
      await tx.query('UPDATE departments SET routing = $2 WHERE id = $1', [departmentId, routing]);
    };
    await change('available', 'automatic');
    const inside = await planOf(tx, statement);
    await change('offline', 'manual');
    return inside;
  });
  return { line_entries: nodesReading(plan, 'line_entries'), calls: nodesReading(plan, 'calls') };
}

const typesOf = (nodes: PlanNode[]): string[] => nodes.map((node) => node['Node Type']);

describe('with 10,000 waiting calls', () => {
  it('the call for an agent is found by the first entries of the lanes', async () => {
    const { line_entries, calls } = await readsOf(findCallStatement(tenant.id, agent.id, test.clock.now()));
    expect(typesOf(line_entries)).not.toContain('Seq Scan');
    expect(entriesRead(line_entries)).toBeGreaterThan(3);
    expect(entriesRead(line_entries)).toBeLessThan(12);
    expect(typesOf(calls)).not.toContain('Seq Scan');
    expect(entriesRead(calls)).toBeLessThanOrEqual(MEMBERS);
  });

  it('the agents of a sweep are compared with the first entries of the lanes', async () => {
    const first = { tenant_id: tenant.id, user_id: ALL_ZERO };
    const statement = availableAgentsStatement(test.clock.now(), first, true);
    const { line_entries, calls } = await readsOf(statement);
    expect(new Set(typesOf(line_entries))).toEqual(new Set(['Index Scan']));
    // Four lanes: each is found from the one before, and has a call that is free.
    expect(entriesRead(line_entries)).toBe(8);
    expect(calls).toEqual([]);
  });

  it.each([true, false])(
    'the plan of a sweep for all values uses indexes, for one tenant: %s',
    async (isOne) => {
      const { text } = availableAgentsStatement(test.clock.now(), { tenant_id: '', user_id: '' }, isOne);
      // TypeORM sends it by the simple protocol, which needs no values of the parameters.
      const lines = await test
        .get(Database)
        .tenant<Json[]>(tenant.id, (tx) => tx.repository(Call).query(`EXPLAIN (GENERIC_PLAN) ${text}`));
      const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
      for (const index of ['presences_available_idx', 'line_entries_line_idx', 'line_entries_reserved_idx'])
        expect(plan).toContain(index);
      expect(plan).not.toMatch(/Seq Scan on line_entries/);
    },
  );

  it('the best agent for a call is found with its entry and the agents alone', async () => {
    const { rows } = await test.db.query<{ call_id: string }>(
      `SELECT call_id FROM line_entries WHERE department_id = $1 AND skill_ids <> '{}' AND min_levels = '{2}' LIMIT 1`,
      [departmentId],
    );
    const callId = rows[0]?.call_id ?? '';
    const statement = agentsOfCallsStatement(tenant.id, [callId], test.clock.now());
    const { line_entries, calls } = await readsOf(statement);
    expect(new Set(typesOf(line_entries))).toEqual(new Set(['Index Scan']));
    expect(entriesRead(line_entries)).toBe(2);
    expect(typesOf(calls)).not.toContain('Seq Scan');
    expect(entriesRead(calls)).toBeLessThanOrEqual(MEMBERS);
  });
});
