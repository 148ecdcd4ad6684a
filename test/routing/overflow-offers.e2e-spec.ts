import { LineEntries } from '../../src/calls/line/line-entries';
import { Database } from '../../src/platform/database/database';
import { InvalidOffers } from '../../src/routing/dispatch/invalid-offers';
import { expectStatus, TestTenant } from '../support/builders';
import {
  availableAgent,
  type ConnectedAgent,
  offersOf,
  pendingOffer,
  untilState,
} from '../support/contexts/offers';
import {
  callRow,
  type OverflowingQueue,
  overflowingQueue,
  setDepartment,
  untilOverflowed,
} from '../support/contexts/overflow';
import { changeCall, entriesOf } from '../support/contexts/line';
import { createSkill, giveSkills } from '../support/contexts/skills';
import { oneTo } from '../support/database/rows';
import { expectFailure } from '../support/database/failures';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

let test: TestApp;
let tenant: TestTenant;
let queue: OverflowingQueue;
const { connect } = closingSockets(() => test.url);

const AUTOMATIC = { routing: 'automatic' };

beforeAll(async () => {
  test = await sharedTestApp();
});

beforeEach(async () => {
  tenant = await TestTenant.register(test);
  queue = await overflowingQueue(tenant, AUTOMATIC, AUTOMATIC);
});

afterEach(() => test.clock.reset());

afterAll(() => test.close());

const agentOf = ({ id }: Json): Promise<ConnectedAgent> => availableAgent(tenant, connect, [id]);
const decline = async ({ api }: ConnectedAgent, { id }: Json) =>
  expectStatus(await api.post(`/api/v1/offers/${id}/decline`), 200);
const accept = ({ api }: ConnectedAgent, { id }: Json) => api.post(`/api/v1/offers/${id}/accept`);
const routingOf = async (callId: string): Promise<Json> =>
  (await tenant.owner.api.get(`/api/v1/calls/${callId}/routing`)).body.data;

describe('a call that overflowed', () => {
  it('is offered to a member of the target, as a call of its own department', async () => {
    await setDepartment(tenant, queue.department, {
      offer_timeout: 77,
      overflow_after: 3600,
      wrap_up_time: 300,
    });
    await setDepartment(tenant, queue.target, { offer_timeout: 9 });
    const agent = await agentOf(queue.target);
    const { call_id } = await tenant.join(queue.link);
    expect(await routingOf(call_id)).toMatchObject({ code: 'no_members', members: 0 });
    await setDepartment(tenant, queue.department, { overflow_after: 0 });
    const offer = await pendingOffer(agent, call_id);
    expect(offer.department_id).toBe(queue.department.id);
    expect(Number(new Date(offer.expires_at)) - Number(new Date(offer.offered_at))).toBe(77_000);
    expect(await routingOf(call_id)).toMatchObject({ code: 'offered', members: 1 });
    expectStatus(await accept(agent, offer), 200);
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/complete`), 200);
    await untilState(test, agent.id, 'wrap_up');
    const { rows } = await test.db.query('SELECT department_id FROM call_parts WHERE call_id = $1', [
      call_id,
    ]);
    expect(rows).toEqual([{ department_id: queue.department.id }]);
  });

  it('is offered to a member of both once at a time', async () => {
    const agent = await availableAgent(tenant, connect, [queue.department.id, queue.target.id]);
    await setDepartment(tenant, queue.department, { routing: 'manual' });
    const { call_id } = await tenant.join(queue.link);
    const offer = await pendingOffer(agent, call_id);
    await setDepartment(tenant, queue.department, AUTOMATIC);
    await decline(agent, offer);
    expect(await offersOf(test, call_id)).toHaveLength(1);
  });

  it('comes in the order of the ranks of both lines', async () => {
    const first = await tenant.join(queue.link);
    const second = await tenant.join(queue.targetLink);
    await untilOverflowed(test, first.call_id);
    const agent = await agentOf(queue.target);
    expectStatus(await accept(agent, await pendingOffer(agent, first.call_id)), 200);
    expectStatus(await agent.api.post(`/api/v1/calls/${first.call_id}/complete`), 200);
    await pendingOffer(agent, second.call_id);
  });

  it('needs the same skills in both lines, until the time of its own department', async () => {
    await setDepartment(tenant, queue.department, { skill_relax_after: 600 });
    await setDepartment(tenant, queue.target, { skill_relax_after: 0 });
    const skill = await createSkill(tenant);
    const link = await tenant.link(queue.department.id, { skills: [{ skill_id: skill, min_level: 2 }] });
    const [lacking, skilled] = [await agentOf(queue.target), await agentOf(queue.target)];
    const { call_id } = await tenant.join(link as { token: string });
    await untilOverflowed(test, call_id);
    expect(await routingOf(call_id)).toMatchObject({ code: 'lacks_skills', members: 2, lacking_skills: 2 });
    // A change of the skills reads the settings again.
    const skills = [{ skill_id: skill, min_level: 3 }];
    expectStatus(await tenant.owner.api.put(`/api/v1/calls/${call_id}`, { skills }), 200);
    const entries = await entriesOf(test, call_id);
    expect(entries.map(({ min_levels }) => min_levels)).toEqual([[3], [3]]);
    await giveSkills(tenant, skilled.id, { [skill]: 3 });
    await decline(skilled, await pendingOffer(skilled, call_id));
    const expired = 'UPDATE line_entries SET relax_at = $2 WHERE call_id = $1';
    await test.db.query(expired, [call_id, test.clock.now()]);
    await pendingOffer(lacking, call_id);
  });

  it('of a manual department is offered by the target, and polls keep it present there', async () => {
    await setDepartment(tenant, queue.department, { routing: 'manual' });
    const { call_id } = await tenant.join(queue.link);
    await untilOverflowed(test, call_id);
    test.clock.advance(60);
    const present = async () =>
      (await entriesOf(test, call_id)).map((entry) => entry.present_until > test.clock.now());
    expect(await present()).toEqual([false, false]);
    const agent = await agentOf(queue.target);
    expect(await routingOf(call_id)).toMatchObject({ code: 'customer_absent' });
    expectStatus(await test.api.get(`/api/v1/call/status/${call_id}`), 200);
    await pendingOffer(agent, call_id);
    expect(await present()).toEqual([true, true]);
  });

  it('is not offered to members of a manual target, who can take it', async () => {
    await setDepartment(tenant, queue.target, { routing: 'manual' });
    const agent = await agentOf(queue.target);
    const own = await agentOf(queue.department);
    const { call_id } = await tenant.join(queue.link);
    await pendingOffer(own, call_id);
    await untilOverflowed(test, call_id);
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
    await untilState(test, own.id, 'available');
    expect((await offersOf(test, call_id)).map(({ user_id, reason }) => [user_id, reason])).toEqual([
      [own.id, 'call_taken'],
    ]);
  });

  it('can be forced on any agent if one of its departments offers calls, as a call of its own department', async () => {
    const agent = await agentOf(await tenant.department());
    const { call_id } = await tenant.join(queue.link);
    await untilOverflowed(test, call_id);
    const force = () => tenant.owner.api.post(`/api/v1/calls/${call_id}/offer`, { user_id: agent.id });
    await setDepartment(tenant, queue.department, { routing: 'manual', offer_timeout: 50 });
    await setDepartment(tenant, queue.target, { routing: 'manual' });
    expectFailure(await force(), 422, { code: 'not_automatic' });
    await setDepartment(tenant, queue.target, AUTOMATIC);
    const answer = await force();
    expectStatus(answer, 201);
    const { id, offered_at, expires_at } = answer.body.data;
    expect(answer.body.data).toMatchObject({ kind: 'forced', department_id: queue.department.id });
    expect(Date.parse(expires_at) - Date.parse(offered_at)).toBe(50_000);
    await test.get(InvalidOffers).withdrawAll();
    expect(await offersOf(test, call_id)).toMatchObject([{ id, status: 'pending' }]);
    expectStatus(await accept(agent, { id }), 200);
  });

  it('is no longer offered to the target when its overflow ends', async () => {
    const agent = await agentOf(queue.target);
    const { call_id } = await tenant.join(queue.link);
    const offer = await pendingOffer(agent, call_id);
    expectStatus(await tenant.owner.api.delete(`/api/v1/departments/${queue.target.id}`), 204);
    await untilState(test, agent.id, 'available');
    expectFailure(await accept(agent, offer), 422, { code: 'offer_ended' });
    expect((await offersOf(test, call_id))[0]).toMatchObject({ status: 'withdrawn', reason: 'not_a_member' });
    const own = await agentOf(queue.department);
    await pendingOffer(own, call_id);
  });

  it('is not looked for by itself when the overflow of all calls ends', async () => {
    const calls = await Promise.all(oneTo(20).map(() => tenant.join(queue.link)));
    for (const { call_id } of calls) await untilOverflowed(test, call_id);
    const reads = jest.spyOn(test.get(Database), 'readTenant');
    await setDepartment(tenant, queue.target, { active: false });
    await until(async () => (await callRow(test, calls.at(-1)?.call_id)).overflow_department_id === null);
    await test.get(InvalidOffers).withdrawAll();
    const texts = reads.mock.calls.flatMap(([, statements]) => statements.map(({ text }) => text));
    reads.mockRestore();
    // Once for the department, and at most four times a second for its calls.
    expect(texts.filter((text) => text.includes("'tenant_suspended'")).length).toBeLessThan(8);
  });

  it('stays offered while its agent is a member of one of its lines', async () => {
    const agent = await availableAgent(tenant, connect, [queue.department.id, queue.target.id]);
    const { call_id } = await tenant.join(queue.link);
    const offer = await pendingOffer(agent, call_id);
    await untilOverflowed(test, call_id);
    const leave = (department_ids: string[]) =>
      tenant.owner.api.put(`/api/v1/users/${agent.id}`, { user: { department_ids } });
    expectStatus(await leave([queue.target.id]), 200);
    await test.get(InvalidOffers).withdrawAll();
    expect(await offersOf(test, call_id)).toMatchObject([{ id: offer.id, status: 'pending' }]);
    expectStatus(await leave([]), 200);
    await untilState(test, agent.id, 'available');
    expect((await offersOf(test, call_id))[0]).toMatchObject({ reason: 'not_a_member' });
  });

  it('alerts for its own department alone', async () => {
    const alerts = { alert_longest_wait: 30, alert_nobody_available: true };
    expectStatus(await tenant.owner.api.put('/api/v1/tenant', alerts), 200);
    const { call_id } = await tenant.join(queue.link);
    await untilOverflowed(test, call_id);
    await changeCall(test, call_id, { absence_deadline: null });
    test.clock.advance(40);
    const alerted = await until(async () => {
      const { rows } = await test.db.query(
        'SELECT department_id, kind FROM queue_alerts WHERE tenant_id = $1 ORDER BY kind',
        [tenant.id],
      );
      return rows.length >= 2 && rows;
    });
    expect(alerted).toEqual([
      { department_id: queue.department.id, kind: 'longest_wait' },
      { department_id: queue.department.id, kind: 'nobody_available' },
    ]);
    const overview = `/api/v1/analytics/overview?department_id=${queue.target.id}`;
    const { data } = (await tenant.owner.api.get(overview)).body;
    expect(data.current_longest_wait ?? 0).toBe(0);
    expect((await callRow(test, call_id)).status).toBe('queued');
  });

  it('ends its requirements in both lines at once', async () => {
    const skill = await createSkill(tenant);
    const link = await tenant.link(queue.department.id, { skills: [{ skill_id: skill, min_level: 1 }] });
    const { call_id } = await tenant.join(link as { token: string });
    await untilOverflowed(test, call_id);
    const later = new Date(Number(test.clock.now()) + 61_000);
    await test
      .get(Database)
      .tenant(tenant.id, (tx) => test.get(LineEntries).endRequirements(tx, call_id, later));
    expect((await entriesOf(test, call_id)).map(({ skill_ids }) => skill_ids)).toEqual([[], []]);
  });
});
