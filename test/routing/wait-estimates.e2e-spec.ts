import { Queue } from '../../src/calls/queue/queue';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { createSkill, giveSkills } from '../support/contexts/skills';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestSocket } from '../support/sockets/socket';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

/** Seconds of a call that are assumed while the department has not completed any. */
const HANDLE_TIME = 180;

let test: TestApp;
let tenant: TestTenant;
let department: Json;
let link: Json;
let skilledLink: Json;
let skill: string;
let agents: Member[];
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
});

/** Two agents are online, and the first one has the skill at level 3. */
beforeEach(async () => {
  tenant = await TestTenant.register(test);
  ({ department, link } = await tenant.queue());
  skill = await createSkill(tenant);
  skilledLink = await tenant.link(department.id, { skills: [{ skill_id: skill, min_level: 3 }] });
  agents = [
    await tenant.member('attendant', [department.id]),
    await tenant.member('attendant', [department.id]),
  ];
  await giveSkills(tenant, agents[0]?.id ?? '', { [skill]: 3 });
  await giveSkills(tenant, agents[1]?.id ?? '', { [skill]: 2 });
  for (const { token } of agents) await connect(token);
  await until(async () => (await validate(link)).online_agents === 2);
});

afterEach(() => test.clock.reset());

afterAll(() => test.close());

const validate = async ({ token }: Json): Promise<Json> =>
  (await test.api.get(`/api/v1/call/${token}/validate`)).body.data;

const statusOf = async (id: string): Promise<Json> =>
  (await test.api.get(`/api/v1/call/status/${id}`)).body.data;

/** The estimates of the calls, read one by one, together, and with the whole line of the department. */
async function estimatesOf(calls: string[]): Promise<(number | undefined)[][]> {
  const alone: number[] = [];
  for (const id of calls) alone.push((await statusOf(id)).estimated_wait_time);
  const together = await Promise.all(calls.map((id) => test.get(Queue).positionOf(tenant.id, id)));
  const line = await test.get(Queue).positionsOf(tenant.id, department.id);
  return [
    alone,
    together.map((position) => position?.estimated_wait_time),
    calls.map((id) => line.find(({ call_id }) => call_id === id)?.estimated_wait_time),
  ];
}

async function expectEstimates(calls: string[], seconds: number[]): Promise<void> {
  expect(await estimatesOf(calls)).toEqual([seconds, seconds, seconds]);
}

describe('the estimate of a wait', () => {
  it('counts the members who have the skills that the call requires', async () => {
    const plain = await tenant.join(link);
    expect(plain.estimated_wait_time).toBe(HANDLE_TIME / 2);
    expect(await validate(skilledLink)).toMatchObject({
      online_agents: 1,
      estimated_wait_time: 2 * HANDLE_TIME,
    });
    const skilled = await tenant.join(skilledLink);
    expect(skilled.estimated_wait_time).toBe(2 * HANDLE_TIME);
    expect(await validate(link)).toMatchObject({
      online_agents: 2,
      estimated_wait_time: (3 * HANDLE_TIME) / 2,
    });
    const calls = [plain.call_id, skilled.call_id];
    await expectEstimates(calls, [HANDLE_TIME / 2, 2 * HANDLE_TIME]);

    await giveSkills(tenant, agents[1]?.id ?? '', { [skill]: 5 });
    await expectEstimates(calls, [HANDLE_TIME / 2, HANDLE_TIME]);
  });

  it('counts all members once the skills are not required any more', async () => {
    const { call_id } = await tenant.join(skilledLink);
    await expectEstimates([call_id], [HANDLE_TIME]);
    await test.db.query(
      `UPDATE line_entries SET skill_ids = '{}', min_levels = '{}', relax_at = NULL WHERE call_id = $1`,
      [call_id],
    );
    await expectEstimates([call_id], [HANDLE_TIME / 2]);
  });

  it('assumes one agent if no member has the skills, and counts no agent of another department', async () => {
    const other = await createSkill(tenant);
    const foreign = await tenant.member('attendant', [(await tenant.department()).id]);
    await giveSkills(tenant, foreign.id, { [other]: 5 });
    await connect(foreign.token);
    const rareLink = await tenant.link(department.id, { skills: [{ skill_id: other, min_level: 1 }] });
    expect(await validate(rareLink)).toMatchObject({ online_agents: 0, estimated_wait_time: HANDLE_TIME });
    const rare = await tenant.join(rareLink);
    expect(rare.estimated_wait_time).toBe(HANDLE_TIME);
    await expectEstimates([rare.call_id], [HANDLE_TIME]);
  });

  it('does not count members who are away or inactive', async () => {
    const { call_id } = await tenant.join(link);
    const socket = await connect(agents[1]?.token ?? '');
    await socket.send('set_presence', { presence: 'away' });
    await until(async () => (await validate(link)).online_agents === 1);
    await expectEstimates([call_id], [HANDLE_TIME]);
    await socket.send('set_presence', { presence: 'online' });
    await until(async () => (await validate(link)).online_agents === 2);
    await tenant.owner.api.put(`/api/v1/users/${agents[1]?.id}`, { active: false });
    await expectEstimates([call_id], [HANDLE_TIME]);
  });
});

const isSent = (socket: TestSocket, seconds: number) =>
  until(() => socket.all('queue_position').at(-1)?.estimated_wait_time === seconds);

describe('a new estimate', () => {
  it('is sent when agents or calls have other skills, and when the skills are not required any more', async () => {
    const [plain, skilled] = [await tenant.join(link), await tenant.join(skilledLink)];
    const [first, second] = [await connect(plain.websocket_token), await connect(skilled.websocket_token)];
    // Afterwards no estimate is about to be sent because of the agents who have come online.
    const agent = await connect(agents[1]?.token ?? '');
    await agent.send('set_presence', { presence: 'away' });
    await isSent(first, HANDLE_TIME);
    await agent.send('set_presence', { presence: 'online' });
    await isSent(first, HANDLE_TIME / 2);
    await isSent(second, 2 * HANDLE_TIME);

    await giveSkills(tenant, agents[1]?.id ?? '', { [skill]: 3 });
    await isSent(second, HANDLE_TIME);

    const skills = [{ skill_id: skill, min_level: 4 }];
    expectStatus(await tenant.owner.api.put(`/api/v1/calls/${skilled.call_id}`, { skills }), 200);
    await isSent(second, 2 * HANDLE_TIME);

    test.clock.advance(department.skill_relax_after + 1);
    await isSent(second, HANDLE_TIME);
  });
});
