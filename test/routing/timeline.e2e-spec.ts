import { Database } from '../../src/platform/database/database';
import { EventBus } from '../../src/platform/events/event-bus';
import { CallStarted } from '../../src/calls/call.events';
import { AgentJoined } from '../../src/calls/participant.events';
import type { Call } from '../../src/calls/call.entity';
import { timelineStatement } from '../../src/routing/timeline/call-timeline';
import { type Member, expectStatus, someId, TestTenant } from '../support/builders';
import { changeCall, secondsAfter } from '../support/contexts/line';
import {
  automaticQueue,
  availableAgent,
  type ConnectedAgent,
  pendingOffer,
} from '../support/contexts/offers';
import { candidate, recordOffer } from '../support/contexts/recorded-offers';
import { missRingTimeout } from '../support/contexts/ring-timeouts';
import { createSkill, giveSkills } from '../support/contexts/skills';
import { oneTo } from '../support/database/rows';
import { entriesRead, nodesReading, planOf } from '../support/database/plans';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let department: Json;
let link: Json;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  ({ department, link } = await tenant.queue());
  agent = await tenant.member('attendant', [department.id]);
});

afterAll(() => test.close());

const read = (callId: string, member = tenant.owner) => member.api.get(`/api/v1/calls/${callId}/timeline`);

async function timelineOf(callId: string): Promise<Json[]> {
  const answer = await read(callId);
  expectStatus(answer, 200);
  return answer.body.data;
}

const act = async (callId: string, action: string, member = agent) =>
  expectStatus(await member.api.post(`/api/v1/calls/${callId}/${action}`), 200);

/** Adds entries with one candidate each, by SQL. */
const insertEntries = (callId: string, count: number) =>
  test.db.query(
    `INSERT INTO call_timeline (tenant_id, call_id, at, type, user_id, details)
     SELECT $1, $2, now(), 'offered', $3::uuid,
       jsonb_build_object('number', n, 'candidates', jsonb_build_array(jsonb_build_object('user_id', $3::uuid)))
     FROM generate_series(1, $4::int) n ORDER BY n`,
    [tenant.id, callId, agent.id, count],
  );

const numbers = (from: number, to: number) => oneTo(to - from + 1).map((n) => from + n - 1);

describe('the timeline of a call', () => {
  it('has an entry for each event, the oldest first', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    await act(call_id, 'assign');
    await missRingTimeout(test, call_id);
    const customer = await connect(websocket_token);
    await act(call_id, 'start');
    customer.close();
    const hasLost = async () => (await timelineOf(call_id)).some(({ type }) => type === 'peer_disconnected');
    await until(hasLost);
    await connect(websocket_token);
    await until(async () => (await timelineOf(call_id)).at(-1)?.type === 'peer_reconnected');
    await act(call_id, 'complete');
    expectStatus(await test.api.post(`/api/v1/call/evaluate/${call_id}`, { rating: 5 }), 200);

    const ofAgent = { user_id: agent.id, user_name: agent.name };
    const entries = await timelineOf(call_id);
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(entries).toEqual([
      { at, type: 'joined', user_id: null, user_name: null, department_id: department.id },
      { at, type: 'assigned', ...ofAgent, previous_user_id: null },
      { at, type: 'requeued', ...ofAgent, unanswered_count: 1 },
      { at, type: 'assigned', ...ofAgent, previous_user_id: null },
      { at, type: 'started', ...ofAgent },
      { at, type: 'peer_disconnected', ...ofAgent, participant: 'customer', deadline: at },
      { at, type: 'peer_reconnected', ...ofAgent, participant: 'customer' },
      { at, type: 'completed', ...ofAgent, end_reason: 'normal' },
      { at, type: 'rated', user_id: null, user_name: null, rating: 5, rated_by: 'address' },
    ]);
    const times = entries.map((entry) => entry.at);
    expect(times).toEqual(times.toSorted());
  });

  it('says to whom the call was offered and who else could have had it, with their current names', async () => {
    const { call_id } = await tenant.join(link);
    const [first, second] = [await tenant.member(), await tenant.member()];
    const skill_id = await createSkill(tenant);
    const idle_since = test.clock.now().toISOString();
    const skills = [{ skill_id, level: 3 }];
    const candidates = [{ user_id: first.id, idle_since, skills }, candidate(second.id), candidate(someId())];
    const offer = await recordOffer(
      test,
      { tenant_id: tenant.id, call_id, department_id: department.id, user_id: first.id, reason: 'Lunch' },
      'declined',
      { candidates },
    );
    const renamed = await tenant.owner.api.put(`/api/v1/users/${second.id}`, { name: 'Bea Nova' });
    expectStatus(renamed, 200);
    expect((await timelineOf(call_id)).slice(1)).toEqual([
      {
        at: expect.any(String),
        type: 'offered',
        user_id: first.id,
        user_name: first.name,
        offer_id: offer.id,
        kind: 'line',
        candidates: [
          { user_id: first.id, user_name: first.name, idle_since, skills },
          { user_id: second.id, user_name: 'Bea Nova', idle_since: null, skills: [] },
          { user_id: candidates[2]?.user_id, user_name: null, idle_since: null, skills: [] },
        ],
      },
      {
        at: expect.any(String),
        type: 'declined',
        user_id: first.id,
        user_name: first.name,
        offer_id: offer.id,
        reason: 'Lunch',
      },
    ]);
  });

  it('shows the ten agents who have been idle longest for an offer of the line, with their skills', async () => {
    const queue = await automaticQueue(tenant);
    const agents: ConnectedAgent[] = [];
    for (const _ of oneTo(11)) agents.push(await availableAgent(tenant, connect, [queue.department.id]));
    const skill_id = await createSkill(tenant);
    const skilled = agents[7];
    await giveSkills(tenant, skilled.id, { [skill_id]: 4 });
    const since = agents.map((_, index) => secondsAfter(test.clock.now(), -3600 - 60 * index));
    for (const [index, { id }] of agents.entries())
      await test.db.query('UPDATE presences SET idle_since = $2 WHERE user_id = $1', [id, since[index]]);
    const { call_id } = await tenant.join(queue.link as { token: string });
    const best = agents[10];
    await pendingOffer(best, call_id);
    const [, offered] = await timelineOf(call_id);
    const longestIdle = agents
      .map(({ id, name }, index) => ({
        user_id: id,
        user_name: name,
        idle_since: since[index]?.toISOString(),
        skills: id === skilled.id ? [{ skill_id, level: 4 }] : [],
      }))
      .toReversed()
      .slice(0, 10);
    expect(offered).toMatchObject({ type: 'offered', user_id: best.id, kind: 'line' });
    expect(offered?.candidates).toEqual(longestIdle);
  });

  it('has an empty list of candidates for an offer that names its agent', async () => {
    const { call_id } = await tenant.join(link);
    const offer = { tenant_id: tenant.id, call_id, user_id: agent.id, offered_by: tenant.owner.id };
    await recordOffer(test, { ...offer, kind: 'forced' }, 'expired');
    expect((await timelineOf(call_id)).slice(1)).toMatchObject([
      { type: 'offered', kind: 'forced', candidates: [], offered_by: tenant.owner.id, note: null },
      { type: 'expired', reason: null },
    ]);
  });

  it('is written with its event or not at all, and not for every event', async () => {
    const { call_id } = await tenant.join(link);
    const at = test.clock.now();
    const call = { tenant_id: tenant.id, id: call_id, version: 1, status: 'queued' } as Call;
    const record = (event: CallStarted | AgentJoined, end = () => {}) =>
      test.get(Database).tenant(tenant.id, async (tx) => {
        await test.get(EventBus).record(tx, event);
        end();
      });
    const failing = record(new CallStarted(call, at), () => {
      throw new Error('the use case fails');
    });
    await expect(failing).rejects.toThrow('the use case fails');
    await record(new AgentJoined(call, at));
    expect((await timelineOf(call_id)).map(({ type }) => type)).toEqual(['joined']);
  });

  it('has the first 500 and the last 500 entries, which are read by indexes', async () => {
    const { call_id } = await tenant.join(link);
    const [other, shorter] = [(await tenant.join(link)).call_id, (await tenant.join(link)).call_id];
    await insertEntries(other, 10_000);
    await insertEntries(call_id, 1200);
    await act(call_id, 'complete', tenant.owner);
    const entries = await timelineOf(call_id);
    expect(entries.map(({ type, number }) => number ?? type)).toEqual([
      'joined',
      ...numbers(1, 499),
      ...numbers(703, 1200),
      'assigned',
      'completed',
    ]);
    await insertEntries(shorter, 700);
    expect((await timelineOf(shorter)).map(({ type, number }) => number ?? type)).toEqual([
      'joined',
      ...numbers(1, 700),
    ]);

    await test.db.query(
      `INSERT INTO users (tenant_id, email, name, password_hash, role)
       SELECT $1, n || '@timeline.example', 'User ' || n, '', 'attendant' FROM generate_series(1, 2000) n`,
      [tenant.id],
    );
    await test.db.query('ANALYZE call_timeline, users');
    const statement = timelineStatement(tenant.id, call_id);
    const plan = await test.get(Database).tenant(tenant.id, (tx) => planOf(tx, statement));
    expect(entriesRead(nodesReading(plan, 'call_timeline'))).toBe(1203);
    const users = nodesReading(plan, 'users');
    // One for the agents of entries, and one for candidates.
    expect(users.map((node) => node['Node Type'])).toEqual(['Index Scan', 'Index Scan']);
    expect(entriesRead(users)).toBeLessThanOrEqual(2000);
  });
});

describe('access to the timeline of a call', () => {
  it('is for supervisors, its agent and the agents of its parts', async () => {
    const [first, second, other] = [await tenant.member(), agent, await tenant.member()];
    const supervisor = await tenant.member('supervisor');
    const { call_id } = await tenant.join(link);
    const statuses = async () => {
      const answers = await Promise.all([first, second, other, supervisor].map((one) => read(call_id, one)));
      return answers.map(({ status }) => status);
    };
    expect(await statuses()).toEqual([403, 403, 403, 200]);
    await act(call_id, 'assign', first);
    expect(await statuses()).toEqual([200, 403, 403, 200]);
    await act(call_id, 'start', first);
    // As a transfer to a department does.
    await changeCall(test, call_id, { status: 'queued', user_id: null, user_name: null });
    expect(await statuses()).toEqual([200, 403, 403, 200]);
    await act(call_id, 'assign', second);
    expect(await statuses()).toEqual([200, 200, 403, 200]);
    expect((await read(call_id, other)).body).toEqual({
      errors: {
        code: 'forbidden',
        detail: 'Only supervisors and the agents of a call can read its timeline.',
      },
    });
  });

  it('is answered with 404 for a call that does not exist, or that a restricted attendant may not see', async () => {
    const restricted = await TestTenant.register(test);
    const settings = await restricted.owner.api.put('/api/v1/tenant', { restrict_attendants: true });
    expectStatus(settings, 200);
    const attendant = await restricted.member();
    const { call_id } = await restricted.join((await restricted.queue()).link);
    expect((await read(call_id, attendant)).status).toBe(404);
    expect((await read(call_id, restricted.owner)).status).toBe(200);
    expect((await read(call_id)).status).toBe(404);
    expect((await read(someId())).status).toBe(404);
  });
});
