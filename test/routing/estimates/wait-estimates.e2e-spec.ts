import { LearnedWaitsCache } from '../../../src/calls/queue/learning/learned-waits-cache';
import { Queue } from '../../../src/calls/queue/queue';
import { expectStatus, type Member, TestTenant } from '../../support/builders';
import { callbackRequested, unstaffedCallingQueue } from '../../support/contexts/callbacks';
import { createSkill, giveSkills } from '../../support/contexts/skills';
import { activeCall } from '../../support/contexts/transfers';
import { answeredWait, BUSY_ESTIMATE, endWait, learnAll, learningOf } from '../../support/contexts/waits';
import type { Json } from '../../support/http/api';
import { sharedTestApp } from '../../support/shared-app';
import { closingSockets } from '../../support/sockets/connect-sockets';
import type { TestSocket } from '../../support/sockets/socket';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';

/** Seconds that a call is assumed to take, customers to wait and an idle agent to answer while nothing is known of them. */
const HANDLE_TIME = 180;
const PATIENCE = 1800;
const ANSWER_TIME = 10;

/** The length of the queue with abandonment, for so many agents. */
function waitBehind(ahead: number, agents: number): number {
  const terms = Array.from({ length: ahead + 1 }, (_, i) => 1 / (agents / HANDLE_TIME + i / PATIENCE));
  return Math.ceil(terms.reduce((sum, term) => sum + term, 0));
}

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

/** Two agents are in a call each, and the first one has the skill at level 3. */
beforeEach(async () => {
  tenant = await TestTenant.register(test);
  ({ department, link } = await tenant.queue({ max_wait_time: 7200 }));
  skill = await createSkill(tenant);
  skilledLink = await tenant.link(department.id, { skills: [{ skill_id: skill, min_level: 3 }] });
  agents = [
    await tenant.member('attendant', [department.id]),
    await tenant.member('attendant', [department.id]),
  ];
  await giveSkills(tenant, agents[0]?.id ?? '', { [skill]: 3 });
  await giveSkills(tenant, agents[1]?.id ?? '', { [skill]: 2 });
  for (const agent of agents) {
    await connect(agent.token);
    await activeCall(tenant, link, agent);
  }
  await until(async () => (await validate(link)).online_agents === 2);
  await until(async () => (await validate(link)).estimated_wait_time === waitBehind(0, 2));
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
    expect(plain.estimated_wait_time).toBe(waitBehind(0, 2));
    expect(await validate(skilledLink)).toMatchObject({
      online_agents: 1,
      estimated_wait_time: waitBehind(1, 1),
    });
    const skilled = await tenant.join(skilledLink);
    expect(skilled.estimated_wait_time).toBe(waitBehind(1, 1));
    expect(await validate(link)).toMatchObject({ online_agents: 2, estimated_wait_time: waitBehind(2, 2) });
    const calls = [plain.call_id, skilled.call_id];
    await expectEstimates(calls, [waitBehind(0, 2), waitBehind(1, 1)]);

    await giveSkills(tenant, agents[1]?.id ?? '', { [skill]: 5 });
    await expectEstimates(calls, [waitBehind(0, 2), waitBehind(1, 2)]);
  });

  it('counts all members once the skills are not required any more', async () => {
    const { call_id } = await tenant.join(skilledLink);
    await expectEstimates([call_id], [waitBehind(0, 1)]);
    await test.db.query(
      `UPDATE line_entries SET skill_ids = '{}', min_levels = '{}', relax_at = NULL WHERE call_id = $1`,
      [call_id],
    );
    await expectEstimates([call_id], [waitBehind(0, 2)]);
  });

  it('is that of the former formula with one agent if no member has the skills, and has no range', async () => {
    const other = await createSkill(tenant);
    const foreign = await tenant.member('attendant', [(await tenant.department()).id]);
    await giveSkills(tenant, foreign.id, { [other]: 5 });
    await connect(foreign.token);
    const rareLink = await tenant.link(department.id, { skills: [{ skill_id: other, min_level: 1 }] });
    const expected = { estimated_wait_time: HANDLE_TIME, estimated_wait_range: null, has_estimate: false };
    expect(await validate(rareLink)).toMatchObject({ online_agents: 0, ...expected });
    await teachRange(department.id);
    const rare = await tenant.join(rareLink);
    expect(rare).toMatchObject(expected);
    await expectEstimates([rare.call_id], [HANDLE_TIME]);
    expect(await statusOf(rare.call_id)).toMatchObject(expected);
    expect((await connect(rare.websocket_token)).all('snapshot')[0]).toMatchObject(expected);
    const { rows } = await test.db.query(
      'SELECT estimated_wait_low, join_estimate FROM calls WHERE id = $1',
      [rare.call_id],
    );
    expect(rows).toEqual([{ estimated_wait_low: null, join_estimate: null }]);
  });

  it('does not count members who are inactive, and is the time to answer while one is idle', async () => {
    test.clock.stop();
    const { call_id } = await tenant.join(link);
    await tenant.owner.api.put(`/api/v1/users/${agents[1]?.id}`, { active: false });
    await expectEstimates([call_id], [waitBehind(0, 1)]);
    const idle = await tenant.member('attendant', [department.id]);
    await connect(idle.token);
    await until(async () => (await validate(link)).online_agents === 2);
    await expectEstimates([call_id], [ANSWER_TIME]);
    // The idle agent takes the first call.
    const next = await tenant.join(link);
    await expectEstimates([call_id, next.call_id], [ANSWER_TIME, waitBehind(1, 2)]);
  });

  it('is at most the time until the wait ends', async () => {
    const { link: short } = await tenant.queue({ max_wait_time: 60 });
    const { call_id } = await tenant.join(short);
    const member = await tenant.member('attendant', [await departmentOf(call_id)]);
    await connect(member.token);
    await activeCall(tenant, short, member);
    test.clock.stop();
    expect((await tenant.join(short)).estimated_wait_time).toBe(60);
    const { rows } = await test.db.query('SELECT wait_deadline FROM calls WHERE id = $1', [call_id]);
    const left = Math.ceil((rows[0].wait_deadline.getTime() - test.clock.now().getTime()) / 1000);
    expect((await statusOf(call_id)).estimated_wait_time).toBe(left);
    const line = await test.get(Queue).positionsOf(tenant.id, await departmentOf(call_id));
    expect(line[0]?.estimated_wait_time).toBe(left);
  });

  it('is at most max_wait_time for a customer who will be called back, whose wait has no deadline', async () => {
    const { link: short } = await unstaffedCallingQueue(tenant, { max_wait_time: 60 });
    const calls = [await tenant.join(short), await tenant.join(short)];
    const department_id = await departmentOf(calls[0]?.call_id ?? '');
    const member = await tenant.member('attendant', [department_id]);
    await connect(member.token);
    await activeCall(tenant, short, member);
    for (const call of calls) await callbackRequested(test, call);
    const reader = test.get(Queue);
    const ids = calls.map(({ call_id }) => call_id);
    const expected = [60, 60];
    const each = await Promise.all(ids.map(async (id) => (await statusOf(id)).estimated_wait_time));
    const together = await Promise.all(ids.map((id) => reader.positionOf(tenant.id, id)));
    const line = await reader.positionsOf(tenant.id, department_id);
    expect(each).toEqual(expected);
    for (const read of [together, line])
      expect(read.map((position) => position?.estimated_wait_time)).toEqual(expected);
  });
});

async function departmentOf(callId: string): Promise<string> {
  const { rows } = await test.db.query('SELECT department_id FROM calls WHERE id = $1', [callId]);
  return rows[0].department_id;
}

describe('agents of several departments', () => {
  it('count by the calls ahead in all of their lines', async () => {
    const { department: other, link: otherLink } = await tenant.queue({ max_wait_time: 7200 });
    const shared = await tenant.member('attendant', [department.id, other.id]);
    await connect(shared.token);
    await activeCall(tenant, link, shared);
    const first = await tenant.join(link);
    const others = [await tenant.join(otherLink), await tenant.join(otherLink), await tenant.join(otherLink)];
    const last = await tenant.join(link);
    // Ahead of the last call: 1 in its line, 4 in all lines of the agent who is shared.
    const expected = [waitBehind(0, 2 + 1), waitBehind(1, 2 + 2 / 5)];
    expect(last.estimated_wait_time).toBe(expected[1]);
    await expectEstimates([first.call_id, last.call_id], expected);
    expect((await validate(link)).estimated_wait_time).toBe(waitBehind(2, 2 + 3 / 6));
    const line = await test.get(Queue).positionsOf(tenant.id, other.id);
    expect(line.map(({ estimated_wait_time }) => estimated_wait_time)).toEqual([
      waitBehind(0, 1 / 2),
      waitBehind(1, 2 / 3),
      waitBehind(2, 3 / 4),
    ]);
    const together = await Promise.all(
      [...others, last].map(({ call_id }) => test.get(Queue).positionOf(tenant.id, call_id)),
    );
    expect(together.map((position) => position?.estimated_wait_time)).toEqual([
      ...line.map(({ estimated_wait_time }) => estimated_wait_time),
      expected[1],
    ]);
  });
});

/** Half of the calls wait as long as estimated, and nine of ten at most twice as long. */
async function teachRange(departmentId: string): Promise<void> {
  await learnAll(test, { tenant_id: tenant.id, id: departmentId });
  const range = { low: 1, high: 2 };
  const ratios = { idle: range, short: range, medium: range, long: range };
  await test.db.query('UPDATE wait_learning SET ratios = $2 WHERE department_id = $1', [
    departmentId,
    JSON.stringify(ratios),
  ]);
  await test.get(LearnedWaitsCache).reload([departmentId]);
}

describe('the range of a wait', () => {
  it('is null until the department has learned it, and then everywhere beside the estimate', async () => {
    expect(await validate(link)).toMatchObject({ estimated_wait_range: null });
    await teachRange(department.id);
    // 90 s, and 90 to 180 s.
    const expected = {
      estimated_wait_time: waitBehind(0, 2),
      estimated_wait_range: { low: 90, high: 180 },
    };
    expect(await validate(link)).toMatchObject({ ...expected, has_estimate: true });
    const entry = await tenant.join(link);
    expect(entry).toMatchObject({ ...expected, has_estimate: true });
    expect(await statusOf(entry.call_id)).toMatchObject(expected);
    expect((await test.get(Queue).positionsOf(tenant.id, department.id))[0]).toMatchObject(expected);
    const resumed = await test.api.post('/api/v1/call/resume', { websocket_token: entry.websocket_token });
    expect(resumed.body.data).toMatchObject(expected);
    const customer = await connect(entry.websocket_token);
    expect(customer.all('snapshot')[0]).toMatchObject(expected);
    expect((await tenant.owner.api.get(`/api/v1/calls/${entry.call_id}`)).body.data).toMatchObject(expected);
    const { rows } = await test.db.query('SELECT join_estimate FROM calls WHERE id = $1', [entry.call_id]);
    expect(rows[0].join_estimate).toEqual({
      queue_length: 90,
      last_wait: null,
      mean_wait: null,
      idle: false,
      high: 180,
    });
  });

  it('is learned from calls, at first from those of the same department alone', async () => {
    const line = { tenant_id: tenant.id, id: department.id };
    const now = test.clock.now();
    const estimate = { ...BUSY_ESTIMATE, queue_length: 90, last_wait: null };
    // Actual ÷ estimated waits from 0.02 to 1.
    for (let n = 1; n <= 50; n++)
      await endWait(test, line, answeredWait({ estimate, waited: (n * 90) / 50, talk: 180 }), now);
    await learnAll(test, line);
    // The median of the waits is 0.5 × 90 s, the 90th percentile 0.9 × 90 s.
    expect((await validate(link)).estimated_wait_range).toEqual({ low: 60, high: 90 });
    const { link: otherLink, department: other } = await tenant.queue();
    const members = `/api/v1/departments/${other.id}/users`;
    expectStatus(await tenant.owner.api.post(members, { user_id: agents[0]?.id }), 201);
    expect((await validate(otherLink)).estimated_wait_range).toBeNull();
  });
});

describe('the estimator', () => {
  it('gives way to one that was better over the last 200 calls', async () => {
    const line = { tenant_id: tenant.id, id: department.id };
    const now = test.clock.now();
    const estimate = { ...BUSY_ESTIMATE, queue_length: 500, last_wait: 40, mean_wait: 60 };
    for (let n = 0; n < 199; n++)
      await endWait(test, line, answeredWait({ estimate, waited: 40, talk: 180 }), now);
    await learnAll(test, line);
    expect((await validate(link)).estimated_wait_time).toBe(waitBehind(0, 2));
    await endWait(test, line, answeredWait({ estimate, waited: 40, talk: 180 }), now);
    await learnAll(test, line);
    expect(await learningOf(test, department.id)).toMatchObject({ in_use: 'last_wait' });
    test.clock.stop();
    const entry = await tenant.join(link);
    expect(entry.estimated_wait_time).toBe(40);
    test.clock.advance(15);
    await expectEstimates([entry.call_id], [25]);
  });
});

const isSent = (socket: TestSocket, seconds: number) =>
  until(() => socket.all('queue_position').at(-1)?.estimated_wait_time === seconds);

describe('a new estimate', () => {
  it('is sent when agents or calls have other skills, and when the skills are not required any more', async () => {
    const [plain, skilled] = [await tenant.join(link), await tenant.join(skilledLink)];
    const [first, second] = [await connect(plain.websocket_token), await connect(skilled.websocket_token)];
    await isSent(first, waitBehind(0, 2));
    await isSent(second, waitBehind(1, 1));

    await giveSkills(tenant, agents[1]?.id ?? '', { [skill]: 3 });
    await isSent(second, waitBehind(1, 2));

    const skills = [{ skill_id: skill, min_level: 4 }];
    expectStatus(await tenant.owner.api.put(`/api/v1/calls/${skilled.call_id}`, { skills }), 200);
    // Nobody has the skill at this level.
    await isSent(second, 2 * HANDLE_TIME);

    test.clock.advance(department.skill_relax_after + 1);
    await isSent(second, waitBehind(1, 2));
  });
});
