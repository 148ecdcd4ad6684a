import { departmentEnded } from '../support/contexts/departments';
import type { Json } from '../support/http/api';
import { type Member, expectStatus, someId, TestTenant } from '../support/builders';
import { bookConfirmed, inMinutes } from '../support/contexts/appointments';
import { changeCall, changeDepartment, entriesOf, entryOf, secondsAfter } from '../support/contexts/line';
import { sweep } from '../support/contexts/sweep';
import { callRow } from '../support/database/rows';
import { startTestApp, type TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let department: Json;
let link: Json;

beforeAll(async () => {
  // The tests move the clock by minutes, so the access tokens must outlive that.
  test = await startTestApp({ env: { ACCESS_TOKEN_TTL: '1000000' } });
  tenant = await TestTenant.register(test);
  agent = await tenant.member();
});

beforeEach(async () => {
  ({ department, link } = await tenant.queue({ max_wait_time: 3600 }));
});

afterAll(() => test.close());

const act = async (id: string, action: string) =>
  expectStatus(await agent.api.post(`/api/v1/calls/${id}/${action}`), 200);

const asJson = (skills: [id: string, level: number][]) =>
  JSON.stringify(skills.map(([skill_id, min_level]) => ({ skill_id, min_level })));

/** A call that was taken out of the queue, and its row. */
async function assignedCall(): Promise<Json> {
  const { call_id } = await tenant.join(link);
  await act(call_id, 'assign');
  return callRow(test, call_id);
}

const requireSkills = (id: string, skills: [string, number][]) =>
  changeCall(test, id, { required_skills: asJson(skills) });

describe('the entry of a call that joins', () => {
  it('has the place of the call in the order, and its customer is present for 30 s', async () => {
    const { call_id } = await tenant.join(link);
    const { inserted_at, queue_number } = await callRow(test, call_id);
    expect(await entryOf(test, call_id)).toMatchObject({
      tenant_id: tenant.id,
      department_id: department.id,
      first_at: Infinity,
      rank_at: inserted_at,
      queue_number,
      present: true,
      present_until: secondsAfter(inserted_at, 30),
      reserved_user_id: null,
      reserved_until: null,
      skill_ids: [],
      min_levels: [],
      relax_at: null,
      next_deadline: null,
    });
  });

  it('is made for a call of the previous release, which has no rank', async () => {
    const { rows } = await test.db.query(
      `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, estimated_wait_time,
         inserted_at, updated_at) VALUES ($1, 'queued', $2, 'Sales', 'Eva', 0, now(), now()) RETURNING *`,
      [tenant.id, department.id],
    );
    const [{ id, inserted_at }] = rows;
    expect(await callRow(test, id)).toMatchObject({ rank_at: inserted_at });
    // Without an absence, the customer has an open socket.
    expect(await entryOf(test, id)).toMatchObject({
      rank_at: inserted_at,
      present: true,
      present_until: Infinity,
    });
  });

  it('is not made for a call that does not wait', async () => {
    const { rows } = await test.db.query(
      `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, estimated_wait_time,
         inserted_at, updated_at, ended_at) VALUES ($1, 'missed', $2, 'Sales', 'Eva', 0, now(), now(), now())
       RETURNING id`,
      [tenant.id, department.id],
    );
    expect(await entriesOf(test, rows[0].id)).toEqual([]);
  });
});

describe('the entry of a call that leaves the queue', () => {
  it.each<[string, (entry: Json) => Promise<void>]>([
    ['is assigned', ({ call_id }) => act(call_id, 'assign')],
    ['is started', ({ call_id }) => act(call_id, 'start')],
    ['is completed', ({ call_id }) => act(call_id, 'complete')],
    [
      'is cancelled',
      async ({ call_id, websocket_token: token }) =>
        expectStatus(await test.api.post(`/api/v1/call/cancel/${call_id}`, undefined, { token }), 200),
    ],
    [
      'has waited too long',
      async () => {
        test.clock.advance(3601);
        await sweep(test);
      },
    ],
    [
      'loses its department',
      async () => {
        expectStatus(await tenant.owner.api.delete(`/api/v1/departments/${department.id}`), 204);
        await departmentEnded(test, department.id);
      },
    ],
    [
      'is deleted',
      async ({ call_id }) => void (await test.db.query('DELETE FROM calls WHERE id = $1', [call_id])),
    ],
  ])('is deleted when the call %s', async (_, leave) => {
    const entry = await tenant.join(link);
    const { call_id: otherId } = await tenant.join((await tenant.queue({ max_wait_time: 36_000 })).link);
    expect(await entriesOf(test, entry.call_id)).toHaveLength(1);
    await leave(entry);
    expect(await entriesOf(test, entry.call_id)).toEqual([]);
    expect(await entriesOf(test, otherId)).toHaveLength(1);
  });
});

describe('the entry of a call that returns to a queue', () => {
  const QUEUED = { status: 'queued', user_id: null, ring_deadline: null };

  it('has its old place, and its customer is present with a socket', async () => {
    const { id, rank_at, queue_number } = await assignedCall();
    await changeCall(test, id, { ...QUEUED, absent_since: null });
    expect(await entryOf(test, id)).toMatchObject({
      rank_at,
      queue_number,
      present: true,
      present_until: Infinity,
    });
  });

  it('has an absent customer without a socket', async () => {
    const { id } = await assignedCall();
    await changeCall(test, id, { ...QUEUED, absent_since: test.clock.now() });
    expect(await entryOf(test, id)).toMatchObject({
      present: false,
      present_until: -Infinity,
    });
  });

  it('belongs to the department that the call was transferred to, and needs no skills', async () => {
    const { id } = await assignedCall();
    const { id: target } = await tenant.department();
    await changeDepartment(test, target, { preferred_agent_wait: 500 });
    await changeCall(test, id, {
      ...QUEUED,
      department_id: target,
      required_skills: '[]',
      reserved_user_id: agent.id,
    });
    const { inserted_at } = await callRow(test, id);
    expect(await entryOf(test, id)).toMatchObject({
      department_id: target,
      reserved_user_id: agent.id,
      reserved_until: secondsAfter(inserted_at, 500),
    });
  });

  it('is not reserved and needs no skills if the time for that is over', async () => {
    const { id, updated_at } = await assignedCall();
    await requireSkills(id, [[someId(), 2]]);
    await changeCall(test, id, {
      ...QUEUED,
      reserved_user_id: agent.id,
      updated_at: secondsAfter(updated_at, 60),
    });
    expect(await entryOf(test, id)).toMatchObject({
      reserved_user_id: null,
      reserved_until: null,
      skill_ids: [],
      relax_at: null,
    });
  });

  it('moves with a waiting call that gets another department', async () => {
    const { call_id } = await tenant.join(link);
    const { id: target } = await tenant.department();
    await changeCall(test, call_id, { department_id: target });
    expect(await entryOf(test, call_id)).toMatchObject({ department_id: target });
  });
});

describe('the lane of an entry', () => {
  const [english, french] = [someId(), someId()].sort() as [string, string];

  it('is the same for the same needs, in whatever order the skills are listed', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.push((await tenant.join(link)).call_id);
    const [first, second, third, fourth, fifth] = ids as [string, string, string, string, string];
    await requireSkills(first, [
      [french, 2],
      [english, 4],
    ]);
    await requireSkills(second, [
      [english, 4],
      [french, 2],
    ]);
    await requireSkills(third, [
      [english, 2],
      [french, 4],
    ]);
    await requireSkills(fourth, [[english, 4]]);
    const entries = [];
    for (const id of ids) entries.push(await entryOf(test, id));
    const { updated_at } = await callRow(test, first);
    expect(entries[0]).toMatchObject({
      skill_ids: [english, french],
      min_levels: [4, 2],
      relax_at: secondsAfter(updated_at, 60),
    });
    const lanes = entries.map(({ lane }) => lane);
    expect(lanes[1]).toBe(lanes[0]);
    expect(new Set(lanes).size).toBe(4);
    await changeCall(test, fifth, { reserved_user_id: agent.id });
    expect(lanes).not.toContain((await entryOf(test, fifth)).lane);
  });

  it('keeps a requirement that has ended, whatever else changes', async () => {
    const { call_id } = await tenant.join(link);
    await requireSkills(call_id, [[english, 3]]);
    await test.db.query(
      `UPDATE line_entries SET skill_ids = '{}', min_levels = '{}', relax_at = NULL WHERE call_id = $1`,
      [call_id],
    );
    const now = test.clock.now();
    await changeCall(test, call_id, {
      rank_at: now,
      priority_since: now,
      reserved_user_id: agent.id,
      absent_since: null,
    });
    expect(await entryOf(test, call_id)).toMatchObject({
      rank_at: now,
      first_at: now,
      reserved_user_id: agent.id,
      skill_ids: [],
      relax_at: null,
    });
    await requireSkills(call_id, [[french, 1]]);
    expect(await entryOf(test, call_id)).toMatchObject({ skill_ids: [french], min_levels: [1] });
  });

  it.each([
    [null, { skill_ids: [english], relax_at: null }],
    [0, { skill_ids: [], relax_at: null }],
  ])('follows the setting skill_relax_after: %s', async (skill_relax_after, expected) => {
    await changeDepartment(test, department.id, { skill_relax_after });
    const { call_id } = await tenant.join(link);
    await requireSkills(call_id, [[english, 3]]);
    expect(await entryOf(test, call_id)).toMatchObject(expected);
  });
});

describe('the entry of a call with an appointment', () => {
  it('is reserved from the join and again from the appointed time, when it gets priority', async () => {
    const { id: user_id } = await tenant.member('attendant', [department.id]);
    const times = { starts_at: inMinutes(test, 10), ends_at: inMinutes(test, 70) };
    const { access_link, starts_at } = await bookConfirmed(tenant, {
      ...times,
      user_id,
      department_id: department.id,
    });
    const { call_id } = await tenant.join(access_link);
    const { inserted_at } = await callRow(test, call_id);
    const reserved_user_id = user_id;
    expect(await entryOf(test, call_id)).toMatchObject({
      first_at: Infinity,
      reserved_user_id,
      reserved_until: secondsAfter(inserted_at, 30),
    });
    test.clock.advance(601);
    await sweep(test);
    const start = new Date(starts_at);
    expect(await entryOf(test, call_id)).toMatchObject({
      first_at: start,
      reserved_user_id,
      reserved_until: secondsAfter(start, 30),
    });
  });

  it('is not reserved if the department does not wait for agents', async () => {
    await changeDepartment(test, department.id, { preferred_agent_wait: 0 });
    const { call_id } = await tenant.join(link);
    await changeCall(test, call_id, { reserved_user_id: agent.id });
    expect(await entryOf(test, call_id)).toMatchObject({ reserved_user_id: null, reserved_until: null });
  });
});
