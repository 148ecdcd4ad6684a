import { Queue } from '../../src/calls/queue/queue';
import { CallbackInviter } from '../../src/routing/callbacks/callback-inviter';
import { DueCallbacks } from '../../src/routing/callbacks/due-callbacks';
import { type Member, TestTenant } from '../support/builders';
import { callbackRequested, callingQueue, unstaffedCallingQueue } from '../support/contexts/callbacks';
import { stopDistribution } from '../support/contexts/offers';
import { createSkill, giveSkills } from '../support/contexts/skills';
import { oneTo } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { startTestApp, type TestApp } from '../support/test-app';

/** So many agents that the second call of the line waits for less than two minutes. */
const AGENTS = 6;

describe('a callback is due', () => {
  let test: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    test = await startTestApp();
    // The tests ask who is due; the application itself invites nobody, and leaves the states of agents as they are.
    await test.get(CallbackInviter).onModuleDestroy();
    await stopDistribution(test);
    tenant = await TestTenant.register(test);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => test.close());

  async function dueCalls(): Promise<string[]> {
    const due: string[] = [];
    for await (const { call_id } of test.get(DueCallbacks).find()) due.push(call_id);
    return due;
  }

  async function busyAgents(departmentId: string): Promise<Member[]> {
    const agents = [];
    for (const _ of oneTo(AGENTS)) agents.push(await tenant.member('attendant', [departmentId]));
    await test.db.query(
      `UPDATE presences SET state = 'on_call', announced = 'busy' WHERE user_id = ANY ($1)`,
      [agents.map(({ id }) => id)],
    );
    return agents;
  }

  const setState = ({ id }: Member, state: string) =>
    test.db.query('UPDATE presences SET state = $2 WHERE user_id = $1', [id, state]);

  /** The only call of a line with one agent, who is offline, and whose customer asks for a callback. */
  async function firstCall(
    terms: Json = {},
    settings: Json = {},
  ): Promise<{ agent: Member; call_id: string }> {
    const { department } = await unstaffedCallingQueue(tenant, { routing: 'automatic', ...settings });
    const agent = await tenant.member('attendant', [department.id]);
    const entry = await tenant.join((await tenant.link(department.id, terms)) as { token: string });
    await callbackRequested(test, entry);
    return { agent, call_id: entry.call_id };
  }

  /** The second call of its line, whose customer asks for a callback. */
  async function secondCall(department: Json, terms: Json = {}): Promise<Json> {
    const link = (await tenant.link(department.id, terms)) as { token: string };
    const plain = (await tenant.link(department.id)) as { token: string };
    await tenant.join(plain);
    const entry = await tenant.join(link);
    await callbackRequested(test, entry);
    return entry;
  }

  it('if the agents who have its skills will serve it soon', async () => {
    const { department } = await unstaffedCallingQueue(tenant);
    await busyAgents(department.id);
    const skill = await createSkill(tenant);
    const plain = await secondCall(department);
    expect(await dueCalls()).toContain(plain.call_id);

    const other = await unstaffedCallingQueue(tenant);
    const [expert, ...rest] = await busyAgents(other.department.id);
    await giveSkills(tenant, expert?.id ?? '', { [skill]: 3 });
    const skilled = await secondCall(other.department, { skills: [{ skill_id: skill, min_level: 1 }] });
    expect(await dueCalls()).not.toContain(skilled.call_id);
    for (const { id } of rest) await giveSkills(tenant, id, { [skill]: 3 });
    expect(await dueCalls()).toContain(skilled.call_id);
  });

  it.each(['available', 'offered', 'on_call', 'wrap_up'])('while its only agent is %s', async (state) => {
    const { agent, call_id } = await firstCall();
    await setState(agent, state);
    expect(await dueCalls()).toContain(call_id);
  });

  it.each(['paused', 'offline'])('not while its only agent is %s', async (state) => {
    const { agent, call_id } = await firstCall();
    await setState(agent, state);
    expect(await dueCalls()).not.toContain(call_id);
  });

  it('not while nobody reachable has its skills, unless agents choose its calls, or it is kept for one', async () => {
    const skill = await createSkill(tenant);
    const { agent, call_id } = await firstCall({ skills: [{ skill_id: skill, min_level: 2 }] });
    await setState(agent, 'available');
    expect(await dueCalls()).not.toContain(call_id);
    await giveSkills(tenant, agent.id, { [skill]: 2 });
    expect(await dueCalls()).toContain(call_id);
    await setState(agent, 'paused');
    expect(await dueCalls()).not.toContain(call_id);

    const manual = await firstCall({ skills: [{ skill_id: skill, min_level: 2 }] }, { routing: 'manual' });
    await setState(manual.agent, 'available');
    expect(await dueCalls()).toContain(manual.call_id);

    const stranger = await tenant.member();
    const kept = await firstCall();
    await test.db.query('UPDATE line_entries SET reserved_user_id = $2 WHERE call_id = $1', [
      kept.call_id,
      stranger.id,
    ]);
    expect(await dueCalls()).not.toContain(kept.call_id);
    await setState(stranger, 'on_call');
    expect(await dueCalls()).toContain(kept.call_id);
    await test.db.query('UPDATE users SET active = false WHERE id = $1', [stranger.id]);
    expect(await dueCalls()).not.toContain(kept.call_id);
  });

  it('also if the positions of another department cannot be read', async () => {
    const queues = [await callingQueue(tenant), await callingQueue(tenant)];
    const calls: string[] = [];
    for (const { link } of queues) {
      const entry = await tenant.join(link as { token: string });
      await callbackRequested(test, entry);
      calls.push(entry.call_id);
    }
    const queue = test.get(Queue);
    const positionsOf = queue.positionsOf.bind(queue);
    for (const [index, { department }] of queues.entries()) {
      jest.spyOn(queue, 'positionsOf').mockImplementation(async (tenantId, departmentId) => {
        if (departmentId === department.id) throw new Error('canceling statement due to statement timeout');
        return positionsOf(tenantId, departmentId);
      });
      const due = await dueCalls();
      expect(due).toContain(calls[1 - index]);
      expect(due).not.toContain(calls[index]);
    }
  });
});
