import { StaleAgents } from '../../../src/routing/agents/stale-agents';
import { type Member, TestTenant } from '../../support/builders';
import { agentRow, expectAnnounced, openSocketOf } from '../../support/contexts/agents';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let agent: Member;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});

beforeEach(async () => {
  agent = await tenant.member();
});

afterAll(() => test.close());

describe('states that nobody has announced', () => {
  it('are announced: of an agent who has connected to an instance of the previous release', async () => {
    await openSocketOf(test, tenant.id, agent.id);
    await test.get(StaleAgents).correct();
    expect(await agentRow(test, agent.id)).toMatchObject({ state: 'available', announced: 'online' });
    await expectAnnounced(test, tenant.id);
  });

  it('are announced: of an agent whose sockets are gone', async () => {
    await test.db.query(`UPDATE presences SET state = 'available', announced = 'online' WHERE user_id = $1`, [
      agent.id,
    ]);
    await test.get(StaleAgents).correct();
    expect(await agentRow(test, agent.id)).toMatchObject({ state: 'offline', announced: 'offline' });
  });
});
