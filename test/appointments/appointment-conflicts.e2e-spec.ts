import type { Answer, Json } from '../support/http/api';
import { APPOINTMENTS, book, performStep } from '../support/contexts/appointments';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

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

/** Returns start and end on the same day. */
const between = (start: string, end: string) => ({
  starts_at: `2031-05-10T${start}:00.000Z`,
  ends_at: `2031-05-10T${end}:00.000Z`,
});
const request = (times: Json): Promise<Answer> =>
  tenant.owner.api.post(APPOINTMENTS, { user_id: agent.id, ...times });
const byStart = (one: Json, other: Json) => (one.starts_at < other.starts_at ? -1 : 1);
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).toSorted();

const findConflicts = (parameters: Json): Promise<Answer> =>
  agent.api.get(`${APPOINTMENTS}/conflicts?${new URLSearchParams(parameters).toString()}`);

describe('appointments of the same agent', () => {
  it.each([
    ['10:00', '11:00'],
    ['10:15', '10:45'],
    ['09:00', '12:00'],
    ['09:30', '10:01'],
    ['10:59', '11:30'],
  ])('from 10:00 to 11:00 and from %s to %s conflict', async (start, end) => {
    await book(tenant, { user_id: agent.id, ...between('10:00', '11:00') });
    const answer = await request(between(start, end));
    expectFailure(answer, 422, { code: 'appointment_conflict', field: 'starts_at' });
  });

  it.each([
    ['09:00', '10:00'],
    ['11:00', '12:00'],
  ])('from 10:00 to 11:00 and from %s to %s do not conflict', async (start, end) => {
    await book(tenant, { user_id: agent.id, ...between('10:00', '11:00') });
    expectStatus(await request(between(start, end)), 201);
  });

  it.each(['complete', 'cancel', 'no-show'])('free their time after %s', async (step) => {
    const { id } = await book(tenant, { user_id: agent.id, ...between('10:00', '11:00') });
    await performStep(tenant, id, step);
    expectStatus(await request(between('10:00', '11:00')), 201);
  });

  it('do not conflict with those of other agents', async () => {
    const colleague = await tenant.member();
    await book(tenant, { user_id: agent.id, ...between('10:00', '11:00') });
    expectStatus(await request({ ...between('10:00', '11:00'), user_id: colleague.id }), 201);
  });

  it('cannot be moved onto each other by changing the time or the agent', async () => {
    const colleague = await tenant.member();
    await book(tenant, { user_id: agent.id, ...between('10:00', '11:00') });
    const next = await book(tenant, { user_id: agent.id, ...between('11:00', '12:00') });
    const colleagueAppointment = await book(tenant, { user_id: colleague.id, ...between('10:30', '11:00') });
    for (const [id, changes] of [
      [next.id, { starts_at: between('10:59', '12:00').starts_at }],
      [colleagueAppointment.id, { user_id: agent.id }],
    ]) {
      const answer = await tenant.owner.api.put(`${APPOINTMENTS}/${id}`, changes);
      expectFailure(answer, 422, { code: 'appointment_conflict' });
    }
    const moved = await tenant.owner.api.put(`${APPOINTMENTS}/${next.id}`, between('11:30', '12:30'));
    expect(moved.body.data).toMatchObject(between('11:30', '12:30'));
  });
});

describe('concurrent requests', () => {
  it('for the same time and agent: exactly one succeeds', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => request(between('10:00', '11:00'))));
    expect(statusesOf(answers)).toEqual([201, ...Array<number>(11).fill(422)]);
    for (const answer of answers.filter(({ status }) => status === 422)) {
      expectFailure(answer, 422, { code: 'appointment_conflict' });
    }
    const { rows } = await test.db.query('SELECT FROM appointments WHERE user_id = $1', [agent.id]);
    expect(rows).toHaveLength(1);
  });

  it('for overlapping times: those that succeed do not overlap', async () => {
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, n) => request(between(`1${n}:00`, `1${n + 1}:01`))),
    );
    expect(new Set(statusesOf(answers))).toEqual(new Set([201, 422]));
    const taken = answers.filter(({ status }) => status === 201).map(({ body }) => body.data);
    for (const [index, { ends_at }] of taken.toSorted(byStart).slice(0, -1).entries()) {
      expect(ends_at <= taken.toSorted(byStart)[index + 1].starts_at).toBe(true);
    }
    // Every rejected request overlaps a successful one.
    expect(taken.length).toBeGreaterThanOrEqual(3);
  });

  it('that move two appointments to the same time: exactly one succeeds', async () => {
    const [one, another] = await Promise.all([
      book(tenant, { user_id: agent.id, ...between('08:00', '09:00') }),
      book(tenant, { user_id: agent.id, ...between('20:00', '21:00') }),
    ]);
    const answers = await Promise.all(
      [one.id, another.id].map((id) =>
        tenant.owner.api.put(`${APPOINTMENTS}/${id}`, between('14:00', '15:00')),
      ),
    );
    expect(statusesOf(answers)).toEqual([200, 422]);
  });
});

describe('finding conflicts', () => {
  it('returns the open appointments of the agent at that time, the earliest first', async () => {
    const colleague = await tenant.member();
    const late = await book(tenant, { user_id: agent.id, ...between('11:00', '12:00') });
    const early = await book(tenant, { user_id: agent.id, ...between('09:00', '10:00'), title: 'Early' });
    const cancelled = await book(tenant, { user_id: agent.id, ...between('10:00', '11:00') });
    await performStep(tenant, cancelled.id, 'cancel');
    await book(tenant, { user_id: colleague.id, ...between('10:00', '11:00') });
    const answer = await findConflicts({ user_id: agent.id, ...between('09:30', '11:30') });
    expect(answer.body).toEqual({ data: [early, late] });
    const others = await findConflicts({
      user_id: agent.id,
      ...between('09:30', '11:30'),
      exclude_id: early.id,
    });
    expect(others.body).toEqual({ data: [late] });
    expect((await findConflicts({ user_id: agent.id, ...between('10:00', '11:00') })).body).toEqual({
      data: [],
    });
    expect((await findConflicts({ user_id: someId(), ...between('09:30', '11:30') })).body).toEqual({
      data: [],
    });
    const other = await TestTenant.register(test);
    const query = new URLSearchParams({ user_id: agent.id, ...between('09:30', '11:30') }).toString();
    expect((await other.owner.api.get(`${APPOINTMENTS}/conflicts?${query}`)).body).toEqual({ data: [] });
  });

  it.each<[string, Json]>([
    ['user_id', { user_id: '' }],
    ['user_id', { user_id: 'ana' }],
    ['starts_at', { starts_at: '' }],
    ['starts_at', { starts_at: 'soon' }],
    ['ends_at', { ends_at: '' }],
    ['ends_at', { ends_at: '2031-02-30' }],
    ['ends_at', { ends_at: '2031-05-10T10:00:00.000Z' }],
    ['exclude_id', { exclude_id: 'x' }],
  ])('rejects an invalid %s: %j', async (field, input) => {
    const answer = await findConflicts({ user_id: agent.id, ...between('10:00', '11:00'), ...input });
    expectFailure(answer, 400, { code: 'bad_request', field });
  });

  it.each(['user_id', 'starts_at', 'ends_at'])('rejects a missing %s', async (field) => {
    const parameters: Json = { user_id: agent.id, ...between('10:00', '11:00') };
    delete parameters[field];
    expectFailure(await findConflicts(parameters), 400, { code: 'bad_request', field });
  });
});
