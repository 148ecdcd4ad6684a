import fc from 'fast-check';
import { Database } from '../../src/platform/database/database';
import type { Statement } from '../../src/platform/database/statement';
import { agentsOfCallsStatement } from '../../src/routing/dispatch/agents-of-calls';
import { findCallStatement, type FoundCall } from '../../src/routing/dispatch/find-call';
import {
  type AgentSelection,
  selectAgent,
  type SelectableAgent,
  selectCall,
} from '../../src/routing/offers/selection.rules';
import { TestTenant } from '../support/builders';
import { arbitraryLines, type Line, type WaitingCall } from '../support/contexts/arbitrary-lines';
import { changeDepartment } from '../support/contexts/line';
import { LineWriter } from '../support/contexts/line-writer';
import { stopDistribution } from '../support/contexts/offers';
import { createSkill } from '../support/contexts/skills';
import { oneTo } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { startTestApp, type TestApp } from '../support/test-app';

const SELECTIONS: AgentSelection[] = ['longest_idle', 'most_skilled', 'fewest_today'];

let test: TestApp;
let tenant: TestTenant;
let department: Json;
let writer: LineWriter;
let userIds: string[];
let skillIds: string[];

beforeAll(async () => {
  test = await startTestApp();
  await stopDistribution(test);
  tenant = await TestTenant.register(test);
  ({ department } = await tenant.queue());
  userIds = [];
  for (const _ of oneTo(4)) userIds.push((await tenant.member()).id);
  skillIds = [await createSkill(tenant), await createSkill(tenant)];
  writer = new LineWriter(test, tenant.id, department.id, userIds);
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
  agents: agents.map((agent) => ({ ...agent, active: true, is_member: true, state: 'available' })),
  calls: calls.map(({ reserved_for, ...call }) => ({
    ...call,
    reserved_for: reserved_for && { ...reserved_for, state: 'available' },
  })),
});

/** The agents in the order in which they would be selected, each without those before. */
function inOrder(agents: SelectableAgent[], call: WaitingCall, selection: AgentSelection): string[] {
  const best = selectAgent(agents, call, selection);
  if (!best) return [];
  const others = agents.filter((agent) => agent !== best);
  return [best.user_id, ...inOrder(others, call, selection)];
}

describe.each(SELECTIONS)('the statements select as the rules do, with %s:', (selection) => {
  beforeAll(() =>
    changeDepartment(test, department.id, { routing: 'automatic', agent_selection: selection }),
  );

  it('the first call that an agent may take, its agents in order, and the best agent of each call', async () => {
    const counts = new Set<number>();
    await fc.assert(
      fc.asyncProperty(arbitraryLine(), async ({ agents, calls }) => {
        const now = test.clock.now();
        const ids = await writer.insert({ agents, calls });
        const idOf = (call: WaitingCall) => ids[calls.indexOf(call)] ?? '';
        const candidatesOf = (call: WaitingCall) => inOrder(agents, call, selection);
        // Inactive users are not served.
        for (const candidate of agents.filter(({ active }) => active)) {
          const expected = selectCall(calls.map((call) => ({ call, candidate })));
          const found = await rowsOf<FoundCall>(findCallStatement(tenant.id, candidate.user_id, now));
          const chosen = found.map(({ call_id, candidates }) => ({
            call_id,
            agents: candidates.map(({ user_id }) => user_id),
          }));
          expect(chosen).toEqual(
            expected ? [{ call_id: idOf(expected), agents: candidatesOf(expected) }] : [],
          );
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
