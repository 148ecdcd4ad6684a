import fc from 'fast-check';
import { Database } from '../../src/platform/database/database';
import type { Statement } from '../../src/platform/database/statement';
import { agentsOfCallsStatement } from '../../src/routing/dispatch/agents-of-calls';
import { type AvailableAgent, availableAgentsStatement } from '../../src/routing/dispatch/available-agents';
import { findCallStatement, type FoundCall } from '../../src/routing/dispatch/find-call';
import { type AgentSelection, selectAgent, selectCall } from '../../src/routing/offers/selection.rules';
import { TestTenant } from '../support/builders';
import {
  arbitraryLines,
  candidateFor,
  type Line,
  type LineAgent,
  type LineCall,
} from '../support/contexts/arbitrary-lines';
import { changeDepartment } from '../support/contexts/line';
import { LineWriter } from '../support/contexts/line-writer';
import { stopDistribution } from '../support/contexts/offers';
import { createSkill } from '../support/contexts/skills';
import { oneTo } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { startTestApp, type TestApp } from '../support/test-app';

const ALL_ZERO = '00000000-0000-0000-0000-000000000000';

const SELECTIONS: AgentSelection[] = ['longest_idle', 'most_skilled', 'fewest_today'];

let test: TestApp;
let tenant: TestTenant;
let departmentIds: string[];
let writer: LineWriter;
let userIds: string[];
let skillIds: string[];

beforeAll(async () => {
  test = await startTestApp();
  await stopDistribution(test);
  tenant = await TestTenant.register(test);
  departmentIds = [(await tenant.queue()).department.id, (await tenant.queue()).department.id];
  userIds = [];
  for (const _ of oneTo(4)) userIds.push((await tenant.member()).id);
  skillIds = [await createSkill(tenant), await createSkill(tenant)];
  writer = new LineWriter(test, tenant.id, departmentIds, userIds);
});

afterAll(() => test.close());

async function rowsOf<Row extends object>(statement: Statement): Promise<Row[]> {
  const [rows] = await test.get(Database).readTenant<[Row]>(tenant.id, [statement]);
  return rows;
}

/** Generates lines, in half of which all agents are available, so that most calls have several candidates. */
const arbitraryLine = () => {
  const lines = arbitraryLines(userIds, skillIds);
  return fc.oneof(lines, lines.map(withAvailableAgents));
};

const withAvailableAgents = ({ agents, calls }: Line): Line => ({
  agents: agents.map((agent) => ({
    ...agent,
    active: true,
    departments: [0, 1],
    state: 'available',
  })),
  calls: calls.map(({ reserved_for, ...call }) => ({
    ...call,
    reserved_for: reserved_for && { ...reserved_for, state: 'available' },
  })),
});

/** The agents of whom the sweep expects that they can take a call. */
async function agentsOfSweep(now: Date): Promise<string[]> {
  const statement = availableAgentsStatement(now, { tenant_id: tenant.id, user_id: ALL_ZERO }, true);
  const agents = await rowsOf<AvailableAgent>(statement);
  return agents.filter(({ is_waited_for }) => is_waited_for).map(({ user_id }) => user_id);
}

/** The agents in the order in which they would be selected, each without those before. */
function inOrder(agents: LineAgent[], call: LineCall, selection: AgentSelection): string[] {
  const best = selectAgent(
    agents.map((agent) => candidateFor(agent, call)),
    call,
    selection,
  );
  if (!best) return [];
  const others = agents.filter(({ user_id }) => user_id !== best.user_id);
  return [best.user_id, ...inOrder(others, call, selection)];
}

describe.each(SELECTIONS)('the statements select as the rules do, with %s:', (selection) => {
  beforeAll(async () => {
    for (const id of departmentIds)
      await changeDepartment(test, id, { routing: 'automatic', agent_selection: selection });
  });

  it('the first call that an agent may take, its agents in order, and the best agent of each call', async () => {
    const counts = new Set<number>();
    await fc.assert(
      fc.asyncProperty(arbitraryLine(), async ({ agents, calls }) => {
        const now = test.clock.now();
        const ids = await writer.insert({ agents, calls });
        const idOf = (call: LineCall) => ids[calls.indexOf(call)] ?? '';
        const candidatesOf = (call: LineCall) => inOrder(agents, call, selection);
        // Inactive users are not served.
        const active = agents.filter((agent) => agent.active);
        const choiceOf = (agent: LineAgent) =>
          selectCall(calls.map((call) => ({ call, candidate: candidateFor(agent, call) })));
        for (const agent of active) {
          const expected = choiceOf(agent);
          const found = await rowsOf<FoundCall>(findCallStatement(tenant.id, agent.user_id, now));
          const chosen = found.map(({ call_id, candidates }) => ({
            call_id,
            agents: candidates.map(({ user_id }) => user_id),
          }));
          expect(chosen).toEqual(
            expected ? [{ call_id: idOf(expected), agents: candidatesOf(expected) }] : [],
          );
        }
        // The sweep also looks at agents who have just declined their only calls.
        const waitedFor = await agentsOfSweep(now);
        for (const agent of active) {
          const isWaitedFor = choiceOf({ ...agent, is_excluded: false }) !== undefined;
          expect([agent.user_id, waitedFor.includes(agent.user_id)]).toEqual([agent.user_id, isWaitedFor]);
        }
        for (const call of calls) {
          const candidates = candidatesOf(call);
          const best = await rowsOf<Json>(agentsOfCallsStatement(tenant.id, [idOf(call)], now));
          expect(best.map(({ user_id }) => user_id)).toEqual(candidates.slice(0, 1));
          counts.add(candidates.length);
        }
      }),
      { numRuns: 60 },
    );
    // Otherwise the lines would say nothing about the order.
    expect(Math.max(...counts)).toBeGreaterThan(1);
  });
});
