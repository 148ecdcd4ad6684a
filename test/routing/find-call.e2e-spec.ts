import { Database } from '../../src/platform/database/database';
import { findCallStatement, type FoundCall } from '../../src/routing/dispatch/find-call';
import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { changeCall, changeDepartment } from '../support/contexts/line';
import { stopDistribution } from '../support/contexts/offers';
import { createSkill, giveSkills } from '../support/contexts/skills';
import { entriesRead, nodesReading, type PlanNode, planOf } from '../support/database/plans';
import { startTestApp, type TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let department: Json;
let link: Json;
let agent: Member;

beforeAll(async () => {
  test = await startTestApp();
  await stopDistribution(test);
  tenant = await TestTenant.register(test);
});

beforeEach(async () => {
  ({ department, link } = await tenant.queue());
  await changeDepartment(test, department.id, { routing: 'automatic' });
  agent = await tenant.member('attendant', [department.id]);
  await setState(agent.id, 'available');
});

afterAll(() => test.close());

const statementOf = (skipped: string[] = []) =>
  findCallStatement(tenant.id, agent.id, test.clock.now(), skipped);

/** The id of the call that is found for the agent. */
async function find(skipped: string[] = []): Promise<string | undefined> {
  const [rows] = await test.get(Database).readTenant<[FoundCall]>(tenant.id, [statementOf(skipped)]);
  return rows[0]?.call_id;
}

const join = async (from = link): Promise<string> => (await tenant.join(from)).call_id;

const setState = (userId: string, state: string) =>
  test.db.query('UPDATE presences SET state = $2 WHERE user_id = $1', [userId, state]);

describe('the call that is found for an agent', () => {
  it('is the first one of all lines of the agent', async () => {
    const other = await tenant.queue();
    await changeDepartment(test, other.department.id, { routing: 'automatic' });
    await test.db.query(
      'INSERT INTO department_members (tenant_id, department_id, user_id) VALUES ($1, $2, $3)',
      [tenant.id, other.department.id, agent.id],
    );
    const [first, second] = [await join(other.link), await join()];
    expect(await find()).toBe(first);
    expect(await find([first])).toBe(second);
    const preferred = await join(await tenant.link(department.id, { priority: 3 }));
    expect(await find()).toBe(preferred);
    await changeCall(test, second, { priority_since: test.clock.now() });
    expect(await find()).toBe(second);
    expect(await find([first, second, preferred])).toBeUndefined();
  });

  it('is in an active department of the agent that offers calls', async () => {
    await join((await tenant.queue()).link);
    expect(await find()).toBeUndefined();
    const id = await join();
    expect(await find()).toBe(id);
    await changeDepartment(test, department.id, { active: false });
    expect(await find()).toBeUndefined();
    await changeDepartment(test, department.id, { active: true, routing: 'manual' });
    expect(await find()).toBeUndefined();
  });

  it('is none unless the agent is available', async () => {
    const id = await join();
    await changeCall(test, await join(), { reserved_user_id: agent.id });
    for (const state of ['offered', 'on_call', 'paused']) {
      await setState(agent.id, state);
      expect(await find()).toBeUndefined();
    }
    await setState(agent.id, 'available');
    expect(await find()).toBe(id);
  });

  it('requires no skill that the agent lacks', async () => {
    const [english, french] = [await createSkill(tenant), await createSkill(tenant)];
    const requiring = (...skills: [string, number][]) =>
      tenant.link(department.id, {
        skills: skills.map(([skill_id, min_level]) => ({ skill_id, min_level })),
      });
    const both = await join(await requiring([english, 2], [french, 1]));
    const one = await join(await requiring([english, 4]));
    expect(await find()).toBeUndefined();
    await giveSkills(tenant, agent.id, { [english]: 3 });
    expect(await find()).toBeUndefined();
    await giveSkills(tenant, agent.id, { [english]: 3, [french]: 1 });
    expect(await find()).toBe(both);
    await giveSkills(tenant, agent.id, { [english]: 4 });
    expect(await find()).toBe(one);
  });

  it('is not reserved for a colleague who could take it soon, and does not need the department otherwise', async () => {
    const colleague = await tenant.member();
    const id = await join();
    await changeCall(test, id, { reserved_user_id: colleague.id });
    await setState(colleague.id, 'on_call');
    expect(await find()).toBeUndefined();
    await setState(colleague.id, 'paused');
    expect(await find()).toBe(id);
    const reserved = await join((await tenant.queue()).link);
    await changeCall(test, reserved, {
      reserved_user_id: agent.id,
      priority_since: test.clock.now(),
      required_skills: JSON.stringify([{ skill_id: await createSkill(tenant), min_level: 1 }]),
    });
    expect(await find()).toBe(id);
    await test.db.query(
      `UPDATE departments SET routing = 'automatic' WHERE id = (SELECT department_id FROM calls WHERE id = $1)`,
      [reserved],
    );
    expect(await find()).toBe(reserved);
  });

  it('is none that overflowed from a department that is being deleted', async () => {
    const other = await tenant.queue();
    const [overflowed, reserved] = [await join(other.link), await join(other.link)];
    await changeCall(test, overflowed, { overflow_department_id: department.id });
    await changeCall(test, reserved, { overflow_department_id: department.id, reserved_user_id: agent.id });
    const behind = await join();
    expect(await find()).toBe(overflowed);
    expect(await find([overflowed])).toBe(reserved);
    await test.db.query('DELETE FROM departments WHERE id = $1', [other.department.id]);
    expect(await find()).toBe(behind);
  });

  it('is of a customer who is present, has no pending offer and was not declined by the agent', async () => {
    const [absent, offered, declined] = [await join(), await join(), await join()];
    await test.db.query(
      `UPDATE line_entries SET present = false, present_until = '-infinity' WHERE call_id = $1`,
      [absent],
    );
    await test.db.query(
      `INSERT INTO offers (tenant_id, call_id, user_id, kind, status, offered_at, expires_at)
       VALUES ($1, $2, gen_random_uuid(), 'line', 'pending', now(), now())`,
      [tenant.id, offered],
    );
    await test.db.query(
      'INSERT INTO offer_exclusions (tenant_id, call_id, user_id, until) VALUES ($1, $2, $3, $4)',
      [tenant.id, declined, agent.id, new Date(test.clock.now().getTime() + 10_000)],
    );
    expect(await find()).toBeUndefined();
    test.clock.advance(11);
    expect(await find()).toBe(declined);
    test.clock.advance(25);
    // Nobody has seen the customer for 30 s, whether or not the sweep has noticed that.
    expect(await find()).toBeUndefined();
    test.clock.reset();
  });
});

/** The nodes that read the line when a call is found for the agent, under row-level security. */
async function readsOfLine(): Promise<PlanNode[]> {
  await test.db.query('ANALYZE line_entries');
  const plan = await test.get(Database).tenant(tenant.id, (tx) => planOf(tx, statementOf()));
  return nodesReading(plan, 'line_entries');
}

/** Calls that need one of three levels of a skill, or none. */
const insertWaiting = (count: number, skillId: string) =>
  test.db.query(
    `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, estimated_wait_time,
       required_skills, inserted_at, updated_at)
     SELECT $1, 'queued', $2, 'Sales', 'Eva', 0,
       CASE WHEN n % 4 = 0 THEN '[]' ELSE jsonb_build_array(jsonb_build_object('skill_id', $4::uuid, 'min_level', n % 4)) END,
       now(), now()
     FROM generate_series(1, $3::int) n`,
    [tenant.id, department.id, count, skillId],
  );

describe('finding a call', () => {
  it('reads as many entries of a long line as of a short one, each by an index', async () => {
    const skillId = await createSkill(tenant);
    await giveSkills(tenant, agent.id, { [skillId]: 2 });
    await insertWaiting(2000, skillId);
    const short = await readsOfLine();
    await insertWaiting(6000, skillId);
    const long = await readsOfLine();
    for (const nodes of [short, long]) {
      const types = nodes.map((node) => node['Node Type']);
      expect(types).not.toContain('Seq Scan');
      // The first lane, the next lanes and the first calls of the lanes.
      expect(types.filter((type) => type === 'Index Scan').length).toBeGreaterThanOrEqual(3);
    }
    expect(entriesRead(long)).toBe(entriesRead(short));
    expect(entriesRead(long)).toBeLessThan(12);
  });
});
