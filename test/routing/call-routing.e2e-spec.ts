import fc from 'fast-check';
import { Database } from '../../src/platform/database/database';
import { findCallStatement, type FoundCall } from '../../src/routing/dispatch/find-call';
import { OfferingCapacity } from '../../src/routing/offers/offering-capacity';
import { ExplainRouting } from '../../src/routing/supervision/explain-routing';
import { type Member, expectStatus, someId, TestTenant } from '../support/builders';
import { arbitraryLines } from '../support/contexts/arbitrary-lines';
import { LineWriter } from '../support/contexts/line-writer';
import { changeCall, changeDepartment, secondsAfter } from '../support/contexts/line';
import { stopDistribution } from '../support/contexts/offers';
import { createSkill } from '../support/contexts/skills';
import { oneTo } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { startTestApp, type TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let department: Json;
let link: Json;

beforeAll(async () => {
  test = await startTestApp();
  await stopDistribution(test);
  tenant = await TestTenant.register(test);
  ({ department, link } = await tenant.queue({ max_queue_size: 1000 }));
  await changeDepartment(test, department.id, { routing: 'automatic' });
});

afterAll(() => test.close());

async function explain(callId: string, of = tenant): Promise<Json> {
  const answer = await of.owner.api.get(`/api/v1/calls/${callId}/routing`);
  expectStatus(answer, 200);
  return answer.body.data;
}

const setState = (userId: string, state: string) =>
  test.db.query('UPDATE presences SET state = $2 WHERE user_id = $1', [userId, state]);

const hasRoom = ({ id }: TestTenant, of: string): Promise<boolean> =>
  test.get(Database).tenant(id, (tx) => test.get(OfferingCapacity).hasRoom(tx, id, of));

describe('why a call is not offered', () => {
  let callId: string;
  let agent: Member;

  beforeEach(async () => {
    ({ department, link } = await tenant.queue());
    await changeDepartment(test, department.id, { routing: 'automatic' });
    callId = (await tenant.join(link)).call_id;
    agent = await tenant.member('attendant', [department.id]);
  });

  it('counts the members of the department', async () => {
    const skill_id = await createSkill(tenant);
    const colleagues = [];
    for (const _ of oneTo(3)) colleagues.push(await tenant.member('attendant', [department.id]));
    const [skilled, excluded, inactive] = colleagues as [Member, Member, Member];
    const needy = await tenant.link(department.id, { skills: [{ skill_id, min_level: 2 }] });
    callId = (await tenant.join(needy)).call_id;
    for (const { id } of [skilled, excluded, inactive]) {
      await tenant.owner.api.put(`/api/v1/users/${id}/skills`, { skills: [{ skill_id, level: 3 }] });
      await setState(id, 'available');
    }
    await setState(agent.id, 'available');
    expectStatus(await tenant.owner.api.put(`/api/v1/users/${inactive.id}`, { active: false }), 200);
    await test.db.query(
      'INSERT INTO offer_exclusions (tenant_id, call_id, user_id, until) VALUES ($1, $2, $3, $4)',
      [tenant.id, callId, excluded.id, secondsAfter(test.clock.now(), 10)],
    );
    expect(await explain(callId)).toEqual({
      members: 3,
      eligible: 1,
      available: 3,
      excluded: 1,
      lacking_skills: 1,
      code: 'eligible',
      reason: expect.stringMatching(/can take the call: 1\./),
    });
    await setState(skilled.id, 'on_call');
    expect(await explain(callId)).toMatchObject({ eligible: 0, available: 2, code: 'excluded' });
    test.clock.advance(11);
    expect(await explain(callId)).toMatchObject({ eligible: 1, excluded: 0, code: 'eligible' });
    test.clock.reset();
  });

  it('names an agent whom the call is kept for, who need not be a member', async () => {
    const reserved = await tenant.member();
    await changeCall(test, callId, { reserved_user_id: reserved.id, priority_since: test.clock.now() });
    await setState(agent.id, 'available');
    await setState(reserved.id, 'wrap_up');
    expect(await explain(callId)).toMatchObject({
      code: 'reserved',
      reason: expect.stringContaining('(wrapping up)'),
      eligible: 0,
      members: 1,
    });
    await setState(reserved.id, 'available');
    expect(await explain(callId)).toMatchObject({ code: 'eligible', eligible: 1 });
  });

  it.each<[code: string, cause: () => Promise<unknown>]>([
    ['not_waiting', async () => tenant.owner.api.post(`/api/v1/calls/${callId}/assign`)],
    ['manual', async () => changeDepartment(test, department.id, { routing: 'manual' })],
    ['inactive_department', async () => changeDepartment(test, department.id, { active: false })],
    [
      'customer_absent',
      async () => changeCall(test, callId, { absent_since: secondsAfter(new Date(), -31) }),
    ],
    [
      'offered',
      async () =>
        test.db.query(
          `INSERT INTO offers (tenant_id, call_id, user_id, kind, status, offered_at, expires_at)
           VALUES ($1, $2, gen_random_uuid(), 'line', 'pending', now(), now() + interval '1 hour')`,
          [tenant.id, callId],
        ),
    ],
  ])('is %s', async (code, cause) => {
    await setState(agent.id, 'available');
    expect(await explain(callId)).toMatchObject({ code: 'eligible' });
    await cause();
    expect(await explain(callId)).toMatchObject({ code, members: 1, available: 1 });
  });

  it('is the suspension of the company, whose staff cannot ask', async () => {
    const suspended = await TestTenant.register(test);
    const { call_id } = await suspended.join((await suspended.queue()).link);
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [suspended.id]);
    const viewer = { tenant_id: suspended.id, restricted: false } as Parameters<ExplainRouting['explain']>[0];
    expect(await test.get(ExplainRouting).explain(viewer, call_id)).toMatchObject({ code: 'suspended' });
  });

  it('is the limit of the plan, for which active calls and offers count', async () => {
    const limited = await TestTenant.register(test, 'free');
    const queue = await limited.queue();
    await changeDepartment(test, queue.department.id, { routing: 'automatic' });
    const [waiting, active] = [await limited.join(queue.link), await limited.join(queue.link)];
    expect(await explain(waiting.call_id, limited)).toMatchObject({ code: 'no_members' });
    expectStatus(await limited.owner.api.post(`/api/v1/calls/${active.call_id}/start`), 200);
    expect(await explain(waiting.call_id, limited)).toMatchObject({ code: 'plan_limit' });
    expectStatus(await limited.owner.api.post(`/api/v1/calls/${active.call_id}/complete`), 200);
    expect(await explain(waiting.call_id, limited)).toMatchObject({ code: 'no_members' });
    await test.db.query(
      `INSERT INTO offers (tenant_id, call_id, user_id, kind, status, offered_at, expires_at)
       VALUES ($1, $2, gen_random_uuid(), 'forced', 'pending', now(), now() + interval '1 hour')`,
      [limited.id, active.call_id],
    );
    expect(await explain(waiting.call_id, limited)).toMatchObject({ code: 'plan_limit' });
    expect(await hasRoom(limited, waiting.call_id)).toBe(false);
    await test.db.query(`UPDATE offers SET kind = 'transfer' WHERE tenant_id = $1`, [limited.id]);
    expect(await explain(waiting.call_id, limited)).toMatchObject({ code: 'no_members' });
    expect(await hasRoom(limited, waiting.call_id)).toBe(true);
  });

  it('is answered with 404 for a call of another company', async () => {
    const other = await TestTenant.register(test);
    for (const id of [callId, someId()])
      expect((await other.owner.api.get(`/api/v1/calls/${id}/routing`)).status).toBe(404);
  });
});

/** Whether the call is found for the agent when all other calls are skipped. */
async function isFound(userId: string, callId: string, callIds: string[]): Promise<boolean> {
  const others = callIds.filter((id) => id !== callId);
  const statement = findCallStatement(tenant.id, userId, test.clock.now(), others);
  const [rows] = await test.get(Database).readTenant<[FoundCall]>(tenant.id, [statement]);
  return rows[0]?.call_id === callId;
}

describe('the agents who may be offered a call', () => {
  let userIds: string[];
  let skillIds: string[];
  let writer: LineWriter;

  beforeAll(async () => {
    ({ department } = await tenant.queue());
    await changeDepartment(test, department.id, { routing: 'automatic' });
    userIds = [];
    for (const _ of oneTo(4)) userIds.push((await tenant.member()).id);
    skillIds = [await createSkill(tenant), await createSkill(tenant)];
    const { department: other } = await tenant.queue();
    await changeDepartment(test, other.id, { routing: 'automatic' });
    writer = new LineWriter(test, tenant.id, [department.id, other.id], userIds);
  });

  it('are as many as those for whom it is found', async () => {
    const counts = new Set<number>();
    await fc.assert(
      fc.asyncProperty(arbitraryLines(userIds, skillIds), async (line) => {
        const callIds = await writer.insert(line);
        // A call is looked for only for an agent who is available.
        const available = line.agents.filter(({ active, state }) => active && state === 'available');
        for (const callId of callIds) {
          const found = await Promise.all(available.map(({ user_id }) => isFound(user_id, callId, callIds)));
          const { eligible, code } = await explain(callId);
          const count = found.filter(Boolean).length;
          counts.add(count);
          expect([eligible, code === 'eligible']).toEqual([count, count > 0]);
        }
      }),
      { numRuns: 40 },
    );
    // Otherwise the lines would say nothing.
    expect(counts.size).toBeGreaterThan(1);
  });
});
