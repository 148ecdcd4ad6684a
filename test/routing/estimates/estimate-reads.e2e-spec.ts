import fc from 'fast-check';
import { Queue, type QueuePosition } from '../../../src/calls/queue/queue';
import { TestTenant } from '../../support/builders';
import { stopDistribution } from '../../support/contexts/offers';
import { createSkill } from '../../support/contexts/skills';
import { raceRounds } from '../../support/race-rounds';
import { startTestApp, type TestApp } from '../../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let departments: string[];
let agents: string[];
let skill: string;

beforeAll(async () => {
  test = await startTestApp();
  // The service would withdraw the offers of the scenes, which no department made.
  await stopDistribution(test);
  tenant = await TestTenant.register(test);
  departments = await Promise.all([1, 2, 3].map(async () => (await tenant.department()).id));
  agents = await Promise.all([1, 2, 3, 4].map(async () => (await tenant.member()).id));
  skill = await createSkill(tenant);
});

afterEach(() => test.clock.reset());

afterAll(() => test.close());

const subset = (max: number) => fc.uniqueArray(fc.integer({ min: 0, max }), { maxLength: max + 1 });

const agent = fc.record({
  state: fc.constantFrom('available', 'on_call', 'wrap_up', 'offline' as const),
  serves: subset(2),
  level: fc.integer({ min: 0, max: 2 }),
});

const call = fc.record({
  line: fc.integer({ min: 0, max: 2 }),
  overflow: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 2 }),
  /** Seconds. */
  rank: fc.integer({ min: 0, max: 20 }),
  priority: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 2 }),
  minLevel: fc.option(fc.integer({ min: 1, max: 2 }), { freq: 2 }),
  limit: fc.option(fc.integer({ min: 1, max: 900 })),
  isOffered: fc.boolean(),
  isCalledBack: fc.boolean(),
});

const scene = fc.record({
  agents: fc.array(agent, { minLength: 4, maxLength: 4 }),
  calls: fc.array(call, { minLength: 1, maxLength: 25, size: 'max' }),
});

type Scene = typeof scene extends fc.Arbitrary<infer Value> ? Value : never;

const PRESENCE = { available: 'online', on_call: 'busy', wrap_up: 'busy', offline: 'offline' };

/** Replaces the calls of the company, and what its agents serve and do. */
async function arrange({ agents: states, calls }: Scene): Promise<void> {
  const { db, clock } = test;
  await db.query('DELETE FROM calls WHERE tenant_id = $1', [tenant.id]);
  await db.query('DELETE FROM department_members WHERE department_id = ANY ($1)', [departments]);
  await db.query('DELETE FROM user_skills WHERE user_id = ANY ($1)', [agents]);
  for (const [index, { state, serves, level }] of states.entries()) {
    await db.query('UPDATE presences SET state = $2, announced = $3 WHERE user_id = $1', [
      agents[index],
      state,
      PRESENCE[state],
    ]);
    await db.query(
      'INSERT INTO department_members (tenant_id, user_id, department_id) SELECT $1, $2, unnest($3::uuid[])',
      [tenant.id, agents[index], serves.map((line) => departments[line])],
    );
    if (level > 0)
      await db.query(
        'INSERT INTO user_skills (tenant_id, user_id, skill_id, level) VALUES ($1, $2, $3, $4)',
        [tenant.id, agents[index], skill, level],
      );
  }
  const now = clock.now().getTime();
  const at = (seconds: number) => new Date(now + seconds * 1000);
  for (const { line, overflow, rank, priority, minLevel, limit, isOffered, isCalledBack } of calls) {
    const { rows } = await db.query(
      `INSERT INTO calls (tenant_id, status, department_id, overflow_department_id, department_name, customer_name,
         estimated_wait_time, rank_at, priority_since, required_skills, wait_deadline, callback_status,
         inserted_at, updated_at)
       VALUES ($1, 'queued', $2, $3, 'Department', 'Customer', 0, $4, $5, $6, $7, $9, $8, $8) RETURNING id`,
      [
        tenant.id,
        departments[line],
        overflow === null || overflow === line ? null : departments[overflow],
        at(rank - 100),
        priority === null ? null : at(priority - 100),
        JSON.stringify(minLevel === null ? [] : [{ skill_id: skill, min_level: minLevel }]),
        limit === null ? null : at(limit),
        at(-30),
        isCalledBack ? 'requested' : null,
      ],
    );
    if (isOffered)
      await db.query(
        `INSERT INTO offers (tenant_id, call_id, department_id, user_id, kind, status, offered_at, expires_at)
         VALUES ($1, $2, $3, gen_random_uuid(), 'line', 'pending', now(), 'infinity')`,
        [tenant.id, rows[0].id, departments[line]],
      );
  }
}

describe('the estimates of calls', () => {
  it('are the same if they are read one by one, together, or with a whole line', async () => {
    test.clock.stop();
    await fc.assert(
      fc.asyncProperty(scene, async (arranged) => {
        await arrange(arranged);
        const queue = test.get(Queue);
        const { rows } = await test.db.query('SELECT id FROM calls WHERE tenant_id = $1 ORDER BY id', [
          tenant.id,
        ]);
        const ids: string[] = rows.map(({ id }) => id);
        const alone: QueuePosition[] = [];
        for (const id of ids) alone.push((await queue.positionOf(tenant.id, id))!);
        const together = await Promise.all(ids.map((id) => queue.positionOf(tenant.id, id)));
        expect(together).toEqual(alone);
        for (const id of departments) {
          for (const position of await queue.positionsOf(tenant.id, id)) {
            if (position.is_overflowed) continue;
            const one = alone.find(({ call_id }) => call_id === position.call_id);
            const ofCall = { status: 'queued', callback: one?.callback, chat_message_count: 0 };
            expect(one).toEqual({ ...position, ...ofCall });
          }
        }
      }),
      { numRuns: raceRounds(40) },
    );
  });
});
