import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { actionsOf, auditedAbout } from '../support/contexts/audit-rows';
import { changeCall, changeDepartment, entryOf, partsOf } from '../support/contexts/line';
import { activeCall, requestTransfer, transfer } from '../support/contexts/transfers';
import { sweep } from '../support/contexts/sweep';
import { callRow, eventsOf } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let colleague: Member;
let department: Json;
let link: Json;
let target: Json;
let targetLink: Json;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  agent = await tenant.member();
  colleague = await tenant.member();
});

beforeEach(async () => {
  ({ department, link } = await tenant.queue());
  ({ department: target, link: targetLink } = await tenant.queue({ max_wait_time: 900 }));
});

afterAll(() => test.close());

const act = async (id: string, action: string, member = agent) =>
  expectStatus(await member.api.post(`/api/v1/calls/${id}/${action}`), 200);
const detailsOf = async (id: string): Promise<Json> =>
  (await tenant.owner.api.get(`/api/v1/calls/${id}`)).body.data;
const statusOf = async (id: string): Promise<Json> =>
  (await test.api.get(`/api/v1/call/status/${id}`)).body.data;
const partsFor = ({ api }: Member, id: string) => api.get(`/api/v1/calls/${id}/parts`);
const errorOf = async (member: Member, id: string, input: Json): Promise<Json> => {
  const { status, body } = await requestTransfer(member, id, input);
  return { status, code: body.errors?.code, fields: body.errors?.fields };
};

describe('a call that is transferred to a department', () => {
  it('waits there ahead of later joins', async () => {
    const earlier = await tenant.join(targetLink);
    const { call_id } = await activeCall(tenant, link, agent);
    const later = await tenant.join(targetLink);
    await changeCall(test, earlier.call_id, { priority_since: new Date(0) });
    await changeCall(test, call_id, { priority_since: test.clock.now() });
    const before = await callRow(test, call_id);
    expect(await transfer(agent, call_id, { department_id: target.id })).toEqual({
      id: call_id,
      status: 'queued',
      department_id: target.id,
      user_id: null,
      offer: null,
    });

    for (const [index, id] of [earlier.call_id, call_id, later.call_id].entries()) {
      expect(await statusOf(id)).toMatchObject({ status: 'queued', position: index + 1 });
    }
    const row = await callRow(test, call_id);
    const { rank_at, queue_number, priority_since, started_at, wait_time, inserted_at } = before;
    expect(row).toMatchObject({
      rank_at,
      queue_number,
      priority_since,
      started_at,
      wait_time,
      inserted_at,
      department_name: target.name,
      existing_department_id: null,
      assigned_at: null,
      agent_connected_at: null,
      version: before.version + 1,
    });
    expect(row.wait_deadline - row.transferred_at).toBe(900_000);
    expect(await entryOf(test, call_id)).toMatchObject({ department_id: target.id, skill_ids: [] });
    expect(await detailsOf(call_id)).toMatchObject({
      status: 'queued',
      department_id: target.id,
      user_id: null,
      user_name: null,
      transferred_from: {
        department_id: department.id,
        user_id: agent.id,
        at: row.transferred_at.toISOString(),
      },
    });
  });

  it('is started by the next agent, and lasts from its first start', async () => {
    const { call_id } = await activeCall(tenant, link, agent);
    const { started_at, wait_time } = await callRow(test, call_id);
    await transfer(agent, call_id, { department_id: target.id });
    await act(call_id, 'assign', colleague);
    const { body } = await colleague.api.post(`/api/v1/calls/${call_id}/start`);
    expect(body.data).toMatchObject({ status: 'active', started_at: started_at.toISOString() });
    await act(call_id, 'complete', colleague);
    const row = await callRow(test, call_id);
    expect(row).toMatchObject({ status: 'completed', started_at, wait_time, user_id: colleague.id });
    expect(row.duration).toBe(Math.floor((row.completed_at - started_at) / 1000));
    expect(row.version).toBe((await eventsOf(test, call_id)).length);
    expect(await eventsOf(test, call_id)).toEqual([
      'call.queued',
      'call.assigned',
      'call.started',
      'call.transferred',
      'call.assigned',
      'call.started',
      'call.completed',
    ]);
    const [first, second] = (await partsFor(colleague, call_id)).body.data;
    expect(first).toEqual({
      user_id: agent.id,
      user_name: agent.name,
      department_id: department.id,
      started_at: started_at.toISOString(),
      ended_at: row.transferred_at.toISOString(),
      ended_by: 'transferred',
    });
    expect(second).toMatchObject({
      user_id: colleague.id,
      department_id: target.id,
      ended_at: row.completed_at.toISOString(),
      ended_by: 'completed',
    });
  });

  it('keeps a customer with a socket present; another one is absent from the transfer on', async () => {
    const [connected, missing] = [
      await activeCall(tenant, link, agent),
      await activeCall(tenant, link, agent),
    ];
    await connect(connected.websocket_token);
    const since = test.clock.now().getTime();
    for (const { call_id } of [connected, missing]) {
      await transfer(agent, call_id, { department_id: target.id });
    }
    expect(await callRow(test, connected.call_id)).toMatchObject({
      absent_since: null,
      absence_deadline: null,
    });
    expect(await entryOf(test, connected.call_id)).toMatchObject({ present: true });
    const row = await callRow(test, missing.call_id);
    expect(row.absent_since.getTime()).toBeGreaterThanOrEqual(since);
    expect(row.absence_deadline.getTime()).toBeGreaterThan(row.transferred_at.getTime());
    expect(await entryOf(test, missing.call_id)).toMatchObject({ present: false });
  });

  it('ends the grace period of a customer who is missing', async () => {
    const { call_id, websocket_token } = await activeCall(tenant, link, agent);
    const [staff, customer] = [await connect(agent.token), await connect(websocket_token)];
    customer.close();
    await staff.waitFor('peer_disconnected');
    const since = test.clock.now().getTime();
    await transfer(agent, call_id, { department_id: target.id });
    const row = await callRow(test, call_id);
    expect(row).toMatchObject({ status: 'queued', customer_grace_deadline: null });
    expect(row.absent_since.getTime()).toBeGreaterThanOrEqual(since);
  });

  it('needs no skills there and is reserved for no agent', async () => {
    const skill = await tenant.owner.api.post('/api/v1/skills', { name: someId() });
    const skills = [{ skill_id: skill.body.data.id, min_level: 2 }];
    const { call_id } = await activeCall(tenant, await tenant.link(department.id, { skills }), agent);
    await test.db.query('UPDATE calls SET reserved_user_id = $2 WHERE id = $1', [call_id, agent.id]);
    await transfer(agent, call_id, { department_id: target.id });
    expect(await detailsOf(call_id)).toMatchObject({ skills: [], reserved_user_id: null });
  });

  it('leaves its agent free', async () => {
    const { call_id } = await activeCall(tenant, link, agent);
    const staff = await connect(agent.token);
    await staff.send('join_call', { call_id });
    expect(await staff.send('snapshot')).toMatchObject({ data: { presence: 'busy' } });
    await transfer(agent, call_id, { department_id: target.id });
    await staff.waitFor(
      'presence_changed',
      ({ user_id, presence }) => user_id === agent.id && presence === 'online',
    );
    const { rows } = await test.db.query('SELECT FROM connections WHERE call_id = $1 AND user_id = $2', [
      call_id,
      agent.id,
    ]);
    expect(rows).toEqual([]);
  });

  it('keeps its wait and start when the next agent does not start it in time', async () => {
    const { call_id } = await activeCall(tenant, link, agent);
    const { started_at, wait_time } = await callRow(test, call_id);
    await transfer(agent, call_id, { department_id: target.id });
    await act(call_id, 'assign', colleague);
    await test.db.query('UPDATE calls SET ring_deadline = $2 WHERE id = $1', [call_id, test.clock.now()]);
    await sweep(test);
    expect(await callRow(test, call_id)).toMatchObject({
      status: 'queued',
      department_id: target.id,
      started_at,
      wait_time,
      unanswered_count: 1,
    });
  });

  it('can be cancelled by its customer, and be transferred again', async () => {
    const { call_id, websocket_token } = await activeCall(tenant, link, agent);
    await transfer(agent, call_id, { department_id: target.id });
    await act(call_id, 'start', colleague);
    await transfer(colleague, call_id, { department_id: department.id });
    expect(await detailsOf(call_id)).toMatchObject({
      department_id: department.id,
      transferred_from: { department_id: target.id, user_id: colleague.id },
    });
    expectStatus(await test.api.as(websocket_token).post(`/api/v1/call/cancel/${call_id}`), 200);
    expect((await partsOf(test, call_id)).map(({ ended_by }) => ended_by)).toEqual([
      'transferred',
      'transferred',
    ]);
  });

  it('is audited, without what the agent says about it, which no event stores', async () => {
    const { call_id } = await activeCall(tenant, link, agent);
    await transfer(agent, call_id, { department_id: target.id, note: 'Is angry' });
    const rows = await auditedAbout(test, call_id);
    expect(actionsOf(rows)).toContain('call.transferred');
    expect(rows.find(({ action }) => action === 'call.transferred')).toMatchObject({
      user_id: agent.id,
      details: {
        department_id: target.id,
        user_id: null,
        previous_department_id: department.id,
        previous_user_id: agent.id,
      },
    });
    const { rows: events } = await test.db.query('SELECT payload FROM domain_events WHERE subject_id = $1', [
      call_id,
    ]);
    expect(JSON.stringify([rows, events])).not.toContain('Is angry');
  });
});

describe('a transfer to a department is refused', () => {
  it.each([
    ['without a target', () => ({}), { fields: { department_id: ['is required without user_id'] } }],
    [
      'with two targets',
      () => ({ department_id: target.id, user_id: colleague.id }),
      { fields: { user_id: ['cannot be combined with department_id'] } },
    ],
    [
      'with an unknown department',
      () => ({ department_id: someId() }),
      { fields: { department_id: ['names a department that does not exist'] } },
    ],
    [
      'with an invalid id',
      () => ({ department_id: 'x' }),
      { fields: { department_id: [expect.any(String)] } },
    ],
    ['with a note that is too long', () => ({ department_id: target.id, note: 'x'.repeat(2001) }), {}],
    ['to its own department', () => ({ department_id: department.id }), { code: 'same_department' }],
  ])('%s', async (_, input, expected) => {
    const { call_id } = await activeCall(tenant, link, agent);
    expect(await errorOf(agent, call_id, input())).toMatchObject({ status: 422, ...expected });
    expect(await callRow(test, call_id)).toMatchObject({ status: 'active', transferred_at: null });
  });

  it('with a department of another company', async () => {
    const other = await (await TestTenant.register(test)).department();
    const { call_id } = await activeCall(tenant, link, agent);
    expect(await errorOf(agent, call_id, { department_id: other.id })).toMatchObject({
      status: 422,
      fields: { department_id: ['names a department that does not exist'] },
    });
  });

  it('while the department is inactive', async () => {
    await changeDepartment(test, target.id, { active: false });
    const { call_id } = await activeCall(tenant, link, agent);
    expect(await errorOf(agent, call_id, { department_id: target.id })).toMatchObject({
      status: 422,
      code: 'department_inactive',
    });
  });

  it('while its queue is full', async () => {
    await changeDepartment(test, target.id, { max_queue_size: 1 });
    const [first, second] = [await activeCall(tenant, link, agent), await activeCall(tenant, link, agent)];
    await transfer(agent, first.call_id, { department_id: target.id });
    expect(await errorOf(agent, second.call_id, { department_id: target.id })).toMatchObject({
      status: 422,
      code: 'queue_full',
    });
    // Calls that are transferred count as those that join do.
    const joining = await test.api.post(`/api/v1/call/${targetLink.token}/join`, { name: 'Ana' });
    expect(joining.body.errors).toMatchObject({ code: 'queue_full' });
  });

  it.each(['queued', 'assigned', 'completed'])('of a call that is %s', async (status) => {
    const { call_id } = await tenant.join(link);
    if (status === 'assigned') await act(call_id, 'assign');
    if (status === 'completed') await act(call_id, 'complete');
    expect(await errorOf(agent, call_id, { department_id: target.id })).toMatchObject({
      status: 422,
      code: 'invalid_transition',
    });
  });

  it("of another agent's call, except by a supervisor", async () => {
    const { call_id } = await activeCall(tenant, link, agent);
    expect(await errorOf(colleague, call_id, { department_id: target.id })).toMatchObject({
      status: 422,
      code: 'invalid_transition',
    });
    const supervisor = await tenant.member('supervisor');
    await transfer(supervisor, call_id, { department_id: target.id });
    expect(await detailsOf(call_id)).toMatchObject({ transferred_from: { user_id: agent.id } });
  });

  it('of an unknown call as such', async () => {
    expect((await requestTransfer(agent, someId(), { department_id: target.id })).status).toBe(404);
  });
});

describe('a restricted attendant', () => {
  let other: TestTenant;
  let own: Json;
  let foreign: Json;
  let restricted: Member;
  let member: Member;

  beforeAll(async () => {
    other = await TestTenant.register(test);
    own = await other.queue();
    foreign = await other.queue();
    restricted = await other.member('attendant', [own.department.id]);
    member = await other.member('attendant', [foreign.department.id]);
    expectStatus(await other.owner.api.put('/api/v1/tenant', { restrict_attendants: true }), 200);
  });

  it('transfers a call to a department of others, and still sees it, its parts and its list item', async () => {
    const { call_id } = await activeCall(other, own.link, restricted);
    expect((await partsFor(member, call_id)).status).toBe(404);
    await transfer(restricted, call_id, { department_id: foreign.department.id });
    await act(call_id, 'start', member);
    for (const viewer of [restricted, member]) {
      const { body } = await partsFor(viewer, call_id);
      expect(body.data.map((part: Json) => part.user_id)).toEqual([restricted.id, member.id]);
    }
    expect((await restricted.api.get(`/api/v1/calls/${call_id}`)).status).toBe(200);
    const { data } = (await restricted.api.get('/api/v1/calls?status=active')).body;
    expect(data.map(({ id }: Json) => id)).toContain(call_id);
  });

  it('cannot transfer a call that they do not see', async () => {
    const { call_id } = await activeCall(other, foreign.link, member);
    expect((await requestTransfer(restricted, call_id, { department_id: own.department.id })).status).toBe(
      404,
    );
    expect((await partsFor(restricted, call_id)).status).toBe(404);
  });
});
