import type { Answer, Json } from '../support/http/api';
import { APPOINTMENTS, book, take } from '../support/contexts/appointments';
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

/** From one time of a day to another. */
const from = (start: string, end: string) => ({
  starts_at: `2031-05-10T${start}:00.000Z`,
  ends_at: `2031-05-10T${end}:00.000Z`,
});
const request = (times: Json): Promise<Answer> =>
  tenant.owner.api.post(APPOINTMENTS, { user_id: agent.id, ...times });
const byStart = (one: Json, other: Json) => (one.starts_at < other.starts_at ? -1 : 1);
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).toSorted();

const ask = (parameters: Json): Promise<Answer> =>
  agent.api.get(`${APPOINTMENTS}/conflicts?${new URLSearchParams(parameters).toString()}`);

describe('appointments of one agent', () => {
  it.each([
    ['10:00', '11:00'],
    ['10:15', '10:45'],
    ['09:00', '12:00'],
    ['09:30', '10:01'],
    ['10:59', '11:30'],
  ])('from 10:00 to 11:00 and from %s to %s exclude each other', async (start, end) => {
    await book(tenant, { user_id: agent.id, ...from('10:00', '11:00') });
    const answer = await request(from(start, end));
    expectFailure(answer, 422, { code: 'appointment_conflict', field: 'starts_at' });
  });

  it.each([
    ['09:00', '10:00'],
    ['11:00', '12:00'],
  ])('from 10:00 to 11:00 and from %s to %s only touch', async (start, end) => {
    await book(tenant, { user_id: agent.id, ...from('10:00', '11:00') });
    expectStatus(await request(from(start, end)), 201);
  });

  it.each(['complete', 'cancel', 'no-show'])('leave the time free after %s', async (step) => {
    const { id } = await book(tenant, { user_id: agent.id, ...from('10:00', '11:00') });
    await take(tenant, id, step);
    expectStatus(await request(from('10:00', '11:00')), 201);
  });

  it('are no matter of other agents', async () => {
    const colleague = await tenant.member();
    await book(tenant, { user_id: agent.id, ...from('10:00', '11:00') });
    expectStatus(await request({ ...from('10:00', '11:00'), user_id: colleague.id }), 201);
  });

  it('cannot be moved onto each other, neither by time nor by agent', async () => {
    const colleague = await tenant.member();
    await book(tenant, { user_id: agent.id, ...from('10:00', '11:00') });
    const next = await book(tenant, { user_id: agent.id, ...from('11:00', '12:00') });
    const theirs = await book(tenant, { user_id: colleague.id, ...from('10:30', '11:00') });
    for (const [id, changes] of [
      [next.id, { starts_at: from('10:59', '12:00').starts_at }],
      [theirs.id, { user_id: agent.id }],
    ]) {
      const answer = await tenant.owner.api.put(`${APPOINTMENTS}/${id}`, changes);
      expectFailure(answer, 422, { code: 'appointment_conflict' });
    }
    const moved = await tenant.owner.api.put(`${APPOINTMENTS}/${next.id}`, from('11:30', '12:30'));
    expect(moved.body.data).toMatchObject(from('11:30', '12:30'));
  });
});

describe('of requests that race', () => {
  it('for one time of one agent, exactly one gets it', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => request(from('10:00', '11:00'))));
    expect(statusesOf(answers)).toEqual([201, ...Array<number>(11).fill(422)]);
    for (const answer of answers.filter(({ status }) => status === 422)) {
      expectFailure(answer, 422, { code: 'appointment_conflict' });
    }
    const { rows } = await test.db.query('SELECT FROM appointments WHERE user_id = $1', [agent.id]);
    expect(rows).toHaveLength(1);
  });

  it('for times of which each overlaps its neighbours, those that get in overlap nowhere', async () => {
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, n) => request(from(`1${n}:00`, `1${n + 1}:01`))),
    );
    expect(new Set(statusesOf(answers))).toEqual(new Set([201, 422]));
    const taken = answers.filter(({ status }) => status === 201).map(({ body }) => body.data);
    for (const [index, { ends_at }] of taken.toSorted(byStart).slice(0, -1).entries()) {
      expect(ends_at <= taken.toSorted(byStart)[index + 1].starts_at).toBe(true);
    }
    // Whoever was refused was so for one that got in.
    expect(taken.length).toBeGreaterThanOrEqual(3);
  });

  it('two that move towards each other meet only once', async () => {
    const [one, another] = await Promise.all([
      book(tenant, { user_id: agent.id, ...from('08:00', '09:00') }),
      book(tenant, { user_id: agent.id, ...from('20:00', '21:00') }),
    ]);
    const answers = await Promise.all(
      [one.id, another.id].map((id) => tenant.owner.api.put(`${APPOINTMENTS}/${id}`, from('14:00', '15:00'))),
    );
    expect(statusesOf(answers)).toEqual([200, 422]);
  });
});

describe('asking for conflicts', () => {
  it('answers the live appointments of the agent at that time, the earliest first', async () => {
    const colleague = await tenant.member();
    const late = await book(tenant, { user_id: agent.id, ...from('11:00', '12:00') });
    const early = await book(tenant, { user_id: agent.id, ...from('09:00', '10:00'), title: 'Early' });
    const gone = await book(tenant, { user_id: agent.id, ...from('10:00', '11:00') });
    await take(tenant, gone.id, 'cancel');
    await book(tenant, { user_id: colleague.id, ...from('10:00', '11:00') });
    const answer = await ask({ user_id: agent.id, ...from('09:30', '11:30') });
    expect(answer.body).toEqual({ data: [early, late] });
    const others = await ask({ user_id: agent.id, ...from('09:30', '11:30'), exclude_id: early.id });
    expect(others.body).toEqual({ data: [late] });
    expect((await ask({ user_id: agent.id, ...from('10:00', '11:00') })).body).toEqual({ data: [] });
    expect((await ask({ user_id: someId(), ...from('09:30', '11:30') })).body).toEqual({ data: [] });
    const other = await TestTenant.register(test);
    const query = new URLSearchParams({ user_id: agent.id, ...from('09:30', '11:30') }).toString();
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
  ])('refuses a bad %s: %j', async (field, input) => {
    const answer = await ask({ user_id: agent.id, ...from('10:00', '11:00'), ...input });
    expectFailure(answer, 400, { code: 'bad_request', field });
  });

  it.each(['user_id', 'starts_at', 'ends_at'])('refuses a missing %s', async (field) => {
    const parameters: Json = { user_id: agent.id, ...from('10:00', '11:00') };
    delete parameters[field];
    expectFailure(await ask(parameters), 400, { code: 'bad_request', field });
  });
});
