import { departmentEnded } from '../support/contexts/departments';
import type { Answer, Json } from '../support/http/api';
import {
  appointmentRow,
  APPOINTMENTS,
  book,
  bookConfirmed,
  createCustomer,
  freeSlot,
  inMinutes,
  performStep,
} from '../support/contexts/appointments';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { eventsOf } from '../support/database/rows';
import { startTestApp, type TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let other: TestTenant;
let department: Json;
let agent: Member;

beforeAll(async () => {
  test = await startTestApp({ env: { PUBLIC_URL: 'https://calls.example.com' } });
  tenant = await TestTenant.register(test);
  other = await TestTenant.register(test);
  department = await tenant.department();
  agent = await tenant.member('attendant', [department.id]);
});

afterAll(() => test.close());

const create = (body: Json): Promise<Answer> => agent.api.post(APPOINTMENTS, body);
const get = async (id: string): Promise<Json> => {
  const answer = await agent.api.get(`${APPOINTMENTS}/${id}`);
  expectStatus(answer, 200);
  return answer.body.data;
};
const put = (id: string, body: Json): Promise<Answer> => agent.api.put(`${APPOINTMENTS}/${id}`, body);
const linkRow = async (id: string): Promise<Json> =>
  (await test.db.query('SELECT * FROM access_links WHERE id = $1', [id])).rows[0];

/** Valid input: each case replaces one field, so that only this field can be the reason for a rejection. */
const validInput = () => ({ user_id: agent.id, ...freeSlot(test) });

/** Returns the ISO times of both reminders and of the no-show for this start. */
const deadlinesAround = (start: string) =>
  [-24 * 60, -15, 30].map((minutes) => new Date(Date.parse(start) + minutes * 60_000).toISOString());

const idsOf = async (query: string): Promise<string[]> => {
  const answer = await agent.api.get(`${APPOINTMENTS}?page_size=100&${query}`);
  expectStatus(answer, 200);
  return answer.body.data.map((row: Json) => row.id);
};

describe('creating and reading', () => {
  it('is allowed for attendants, requires three fields and returns the whole appointment', async () => {
    const slot = freeSlot(test);
    const answer = await create({ user_id: agent.id, ...slot });
    expect(answer.status).toBe(201);
    const { data } = answer.body;
    expect(data).toEqual({
      id: expect.any(String),
      department_id: null,
      user_id: agent.id,
      customer_id: null,
      customer_name: null,
      title: null,
      ...slot,
      status: 'scheduled',
      notes: null,
      access_link: null,
      inserted_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: expect.stringMatching(/\.\d{3}Z$/),
    });
    expect(await get(data.id)).toEqual(data);
    expect(await eventsOf(test, data.id)).toEqual(['appointment.created']);
  });

  it('accepts all fields, flat or wrapped, and ignores unknown ones', async () => {
    const { id: customer_id } = await createCustomer(tenant);
    for (const wrap of [(body: Json) => body, (body: Json) => ({ appointment: body })]) {
      const input = {
        ...freeSlot(test),
        user_id: agent.id,
        department_id: department.id,
        customer_id,
        title: 'Renewal',
        notes: 'Bring it',
      };
      const answer = await create(wrap({ ...input, status: 'completed', id: someId(), tenant_id: other.id }));
      expectStatus(answer, 201);
      expect(answer.body.data).toMatchObject({ ...input, status: 'scheduled' });
    }
  });

  it('names the customer, also in lists, which sort by the name', async () => {
    const [bea, zoe] = [
      await createCustomer(tenant, { name: 'Bea' }),
      await createCustomer(tenant, { name: 'Zoé' }),
    ];
    const ids: string[] = [];
    for (const { id: customer_id } of [zoe, bea])
      ids.push((await book(tenant, { ...freeSlot(test), customer_id })).id);
    expect((await get(ids[0] ?? '')).customer_name).toBe('Zoé');
    const answer = await agent.api.get(`${APPOINTMENTS}?sort_by=customer_name&page_size=100`);
    const names = answer.body.data.map((row: Json) => row.customer_name);
    expect(names.filter((name: string) => ['Bea', 'Zoé'].includes(name))).toEqual(['Bea', 'Zoé']);
  });

  it('confirms in the same step if asked to, or does nothing at all', async () => {
    const input = { user_id: agent.id, department_id: department.id };
    const answer = await create({ ...input, ...freeSlot(test), confirm: true });
    expectStatus(answer, 201);
    expect(answer.body.data).toMatchObject({ status: 'confirmed', access_link: { status: 'scheduled' } });
    const { id } = answer.body.data;
    expect(await eventsOf(test, id)).toEqual(['appointment.created', 'appointment.confirmed']);

    const { id: inactive } = await tenant.department();
    expectStatus(await tenant.owner.api.put(`/api/v1/departments/${inactive}`, { active: false }), 200);
    const slot = freeSlot(test);
    const refused = await create({ ...input, ...slot, department_id: inactive, confirm: true });
    expectFailure(refused, 422, { code: 'department_inactive' });
    const { rows } = await test.db.query('SELECT FROM appointments WHERE department_id = $1', [inactive]);
    expect(rows).toEqual([]);

    const scheduled = await book(tenant, { ...slot, ...input });
    const put = (body: Json) => agent.api.put(`${APPOINTMENTS}/${scheduled.id}`, body);
    expect((await put({ title: 'Renewal', confirm: false })).body.data.status).toBe('scheduled');
    expect((await put({ department_id: inactive, confirm: true })).status).toBe(422);
    expect(await get(scheduled.id)).toMatchObject({ status: 'scheduled', department_id: department.id });
    expect((await put({ title: 'New title', confirm: true })).body.data).toMatchObject({
      status: 'confirmed',
      title: 'New title',
    });
    expect((await put({ notes: 'Late', confirm: true })).body.data).toMatchObject({ status: 'confirmed' });
    expect(await eventsOf(test, scheduled.id)).toEqual([
      'appointment.created',
      'appointment.updated',
      'appointment.updated',
      'appointment.confirmed',
      'appointment.updated',
    ]);
  });

  it('accepts a past appointment, which has no deadlines', async () => {
    const times = { starts_at: inMinutes(test, -600), ends_at: inMinutes(test, -570) };
    const { id } = await book(tenant, { ...times, department_id: department.id });
    expect(await appointmentRow(test, id)).toMatchObject({ next_deadline: null });
    expect(await performStep(tenant, id, 'confirm')).toMatchObject({ access_link: { status: 'expired' } });
    expect(await appointmentRow(test, id)).toMatchObject({ next_deadline: null, status: 'confirmed' });
    expect(await performStep(tenant, id, 'complete')).toMatchObject({ status: 'completed' });
  });

  it.each([
    ['starts_at', '2035-06-01T12:00:00+02:00', '2035-06-01T10:00:00.000Z'],
    ['starts_at', '2035-06-01T10:00:00.1239', '2035-06-01T10:00:00.123Z'],
  ])('interprets %s %s as %s', async (field, given, moment) => {
    const { id: user_id } = await tenant.member();
    const answer = await create({ user_id, ends_at: '2035-06-01T11:00:00Z', [field]: given });
    expect(answer.body.data[field]).toBe(moment);
  });

  it.each<[string, Json]>([
    ['user_id', { user_id: undefined }],
    ['user_id', { user_id: null }],
    ['user_id', { user_id: 'ana' }],
    ['user_id', { user_id: someId() }],
    ['starts_at', { starts_at: undefined }],
    ['starts_at', { starts_at: null }],
    ['starts_at', { starts_at: 'tomorrow' }],
    ['starts_at', { starts_at: '2035-02-30T00:00:00Z' }],
    ['starts_at', { starts_at: '0000-01-01', ends_at: '0000-01-01T01:00:00Z' }],
    ['starts_at', { starts_at: '1969-12-31', ends_at: '1969-12-31T01:00:00Z' }],
    ['ends_at', { ends_at: undefined }],
    ['ends_at', { ends_at: '2020-01-01T00:00:00Z' }],
    ['ends_at', { starts_at: '2035-01-01', ends_at: '2035-01-01' }],
    ['ends_at', { starts_at: '2035-01-01', ends_at: '2035-01-02T00:00:00.001Z' }],
    ['ends_at', { starts_at: '9999-12-31T23:00:00Z', ends_at: '9999-12-31T23:30:00-12:00' }],
    ['department_id', { department_id: someId() }],
    ['department_id', { department_id: 'sales' }],
    ['customer_id', { customer_id: someId() }],
    ['title', { title: 'x'.repeat(256) }],
    ['title', { title: 7 }],
    ['notes', { notes: 'x'.repeat(10_001) }],
  ])('rejects an invalid %s (case %#)', async (field, input) => {
    expectFailure(await create({ ...validInput(), ...input }), 422, { code: 'validation_failed', field });
  });

  it("rejects another tenant's user, department and customer, and an inactive user", async () => {
    const foreign = {
      department_id: (await other.department()).id,
      customer_id: (await createCustomer(other)).id,
    };
    for (const [field, id] of Object.entries({ ...foreign, user_id: other.owner.id })) {
      expectFailure(await create({ ...validInput(), [field]: id }), 422, { field });
    }
    const inactive = await tenant.member();
    const agreed = await book(tenant, { ...freeSlot(test), user_id: inactive.id });
    await tenant.owner.api.put(`/api/v1/users/${inactive.id}`, { active: false });
    expectFailure(await create({ ...validInput(), user_id: inactive.id }), 422, { field: 'user_id' });
    // Existing appointments of an inactive user stay and can be changed, but no new ones can be created.
    expect(await get(agreed.id)).toMatchObject({ status: 'scheduled', user_id: inactive.id });
    expectStatus(await put(agreed.id, { title: 'Somebody else will' }), 200);
  });

  it('answers 404 for an unknown or foreign appointment and 400 for a malformed id', async () => {
    const foreign = await book(other, freeSlot(test));
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ...['confirm', 'cancel', 'complete', 'no-show'].map((step) => ['POST', `/${step}`]),
    ] as [string, string][]) {
      for (const id of [someId(), foreign.id]) {
        const answer = await agent.api.send(method, `${APPOINTMENTS}/${id}${path}`, {
          body: method === 'PUT' ? { title: 'Mine' } : undefined,
        });
        expectFailure(answer, 404, { code: 'not_found' });
      }
      const answer = await agent.api.send(method, `${APPOINTMENTS}/x${path}`, {
        body: method === 'PUT' ? {} : undefined,
      });
      expectFailure(answer, 400, { field: 'id' });
    }
    expect((await other.owner.api.get(`${APPOINTMENTS}/${foreign.id}`)).body.data).toEqual(foreign);
  });
});

describe('the states of an appointment', () => {
  const STEPS = ['confirm', 'complete', 'cancel', 'no-show'];
  const TRANSITIONS: Json = {
    scheduled: { confirm: 'confirmed', complete: 'completed', cancel: 'cancelled', 'no-show': 'no_show' },
    confirmed: { complete: 'completed', cancel: 'cancelled', 'no-show': 'no_show' },
    completed: {},
    cancelled: {},
    no_show: {},
  };
  const STEP_TO: Json = {
    confirmed: 'confirm',
    completed: 'complete',
    cancelled: 'cancel',
    no_show: 'no-show',
  };

  it.each(
    Object.keys(TRANSITIONS).flatMap((from) => STEPS.map((step) => [from, step, TRANSITIONS[from][step]])),
  )('from %s, %s leads to %s', async (from, step, to) => {
    const { id } = await book(tenant, { ...freeSlot(test), department_id: department.id });
    if (from !== 'scheduled') await performStep(tenant, id, STEP_TO[from]);
    const before = await appointmentRow(test, id);
    const shown = await get(id);
    const answer = await agent.api.post(`${APPOINTMENTS}/${id}/${step}`);
    if (STEP_TO[from] === step) {
      expect([answer.status, answer.body.data]).toEqual([200, shown]);
      expect(await appointmentRow(test, id)).toEqual(before);
      return;
    }
    if (!to) {
      expectFailure(answer, 422, { code: 'invalid_transition' });
      expect(await appointmentRow(test, id)).toEqual(before);
      return;
    }
    expect(answer.body.data).toMatchObject({ id, status: to });
    expect(await get(id)).toEqual(answer.body.data);
    expect((await eventsOf(test, id)).at(-1)).toBe(`appointment.${to}`);
    const { next_deadline, no_show_deadline } = await appointmentRow(test, id);
    if (to === 'confirmed') expect(no_show_deadline).toEqual(before.no_show_deadline);
    else expect(next_deadline).toBeNull();
  });

  it('make exactly one of several concurrent final steps, whose repetition is answered alike', async () => {
    const { id } = await book(tenant, { ...freeSlot(test), department_id: department.id });
    const answers = await Promise.all(
      ['complete', 'cancel', 'no-show', 'complete', 'cancel', 'no-show'].map((step) =>
        agent.api.post(`${APPOINTMENTS}/${id}/${step}`),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 422, 422, 422, 422]);
    const [one, other] = answers.filter(({ status }) => status === 200);
    expect(one?.body).toEqual(other?.body);
    expect(await eventsOf(test, id)).toHaveLength(2);
  });

  it('make one of several concurrent confirmations, which creates a single link', async () => {
    const { id } = await book(tenant, {
      ...freeSlot(test),
      department_id: department.id,
      title: 'Raced for',
    });
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => agent.api.post(`${APPOINTMENTS}/${id}/confirm`)),
    );
    for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body);
    expect(answers[0]?.body.data.status).toBe('confirmed');
    const { rows } = await test.db.query(
      'SELECT FROM access_links l JOIN appointments a ON a.title = l.label WHERE a.id = $1',
      [id],
    );
    expect(rows).toHaveLength(1);
  });
});

describe('the link of a confirmed appointment', () => {
  it('leads the customer to the agent, from 15 minutes before the start until the end', async () => {
    const { id: customer_id } = await createCustomer(tenant);
    const slot = freeSlot(test);
    const input = { ...slot, user_id: agent.id, department_id: department.id, customer_id, title: 'Renewal' };
    const { access_link, status } = await bookConfirmed(tenant, input);
    expect(status).toBe('confirmed');
    const valid_from = new Date(Date.parse(slot.starts_at) - 15 * 60_000);
    expect(access_link).toEqual({
      id: expect.any(String),
      token: expect.stringMatching(/^[\w-]{22,}$/),
      url: `https://calls.example.com/c/${access_link.token}`,
      status: 'scheduled',
      valid_from: valid_from.toISOString(),
      expires_at: slot.ends_at,
    });
    expect(await linkRow(access_link.id)).toMatchObject({
      department_id: department.id,
      customer_id,
      label: 'Renewal',
      max_uses: null,
      valid_from,
      expires_at: new Date(slot.ends_at),
      priority_from: new Date(slot.starts_at),
      reserved_user_id: agent.id,
      created_by: tenant.owner.id,
    });
    const linkOf = async () => (await agent.api.get(`/api/v1/access-links/${access_link.id}`)).body.data;
    expect(await linkOf()).toMatchObject({
      token: access_link.token,
      label: 'Renewal',
      status: 'scheduled',
      valid_from: valid_from.toISOString(),
    });
    const idsOf = async (status: string) => {
      const query = `status=${status}&customer_id=${customer_id}`;
      return (await agent.api.get(`/api/v1/access-links?${query}`)).body.data.map(({ id }: Json) => id);
    };
    expect([await idsOf('scheduled'), await idsOf('active')]).toEqual([[access_link.id], []]);
    const validate = () => test.api.get(`/api/v1/call/${access_link.token}/validate`);
    expectFailure(await validate(), 404, { code: 'link_not_yet_valid' });
    const now = test.clock.now();
    await test.db.query('UPDATE access_links SET valid_from = $2 WHERE id = $1', [access_link.id, now]);
    expect(await linkOf()).toMatchObject({ status: 'active', valid_from: now.toISOString() });
    expect([await idsOf('scheduled'), await idsOf('active')]).toEqual([[], [access_link.id]]);
    expectStatus(await validate(), 200);
  });

  it('requires an active department', async () => {
    const memberWithoutDepartment = await tenant.member();
    const closed = await tenant.department();
    const without = await book(tenant, { ...freeSlot(test), user_id: memberWithoutDepartment.id });
    const answer = await agent.api.post(`${APPOINTMENTS}/${without.id}/confirm`);
    expectFailure(answer, 422, { code: 'department_required', field: 'department_id' });
    const within = await book(tenant, { ...freeSlot(test), department_id: closed.id });
    await tenant.owner.api.put(`/api/v1/departments/${closed.id}`, { department: { active: false } });
    const refused = await agent.api.post(`${APPOINTMENTS}/${within.id}/confirm`);
    expectFailure(refused, 422, { code: 'department_inactive', field: 'department_id' });
    expect([await get(without.id), await get(within.id)]).toEqual([without, within]);
    await put(without.id, { department_id: department.id });
    await performStep(tenant, without.id, 'confirm');
    const emptied = await put(without.id, { department_id: null });
    expectFailure(emptied, 422, { code: 'department_required' });
  });

  it("leads to the agent's department, or to the tenant's only one, when none was given", async () => {
    const singleDepartmentTenant = await TestTenant.register(test);
    const only = await singleDepartmentTenant.department();
    const inOnlyDepartment = await bookConfirmed(singleDepartmentTenant, freeSlot(test));
    expect(inOnlyDepartment.department_id).toBe(only.id);
    const second = await singleDepartmentTenant.department();
    const member = await singleDepartmentTenant.member('attendant', [second.id]);
    const inAgentDepartment = await bookConfirmed(singleDepartmentTenant, {
      ...freeSlot(test),
      user_id: member.id,
    });
    expect(inAgentDepartment.department_id).toBe(second.id);
    expect(inAgentDepartment.access_link).not.toBeNull();
  });

  it('is updated with its appointment, and stays unchanged when no relevant field changes', async () => {
    const elsewhere = await tenant.department();
    const before = await bookConfirmed(tenant, { ...freeSlot(test), department_id: department.id });
    const slot = freeSlot(test);
    const changes = { ...slot, title: 'Later', user_id: agent.id, department_id: elsewhere.id };
    const answer = await put(before.id, changes);
    expectStatus(answer, 200);
    const after = answer.body.data;
    expect(after).toMatchObject({
      ...changes,
      status: 'confirmed',
      access_link: { expires_at: slot.ends_at },
    });
    expect(after.access_link).toMatchObject({ id: before.access_link.id, token: before.access_link.token });
    expect(await linkRow(after.access_link.id)).toMatchObject({
      department_id: elsewhere.id,
      label: 'Later',
      priority_from: new Date(slot.starts_at),
      reserved_user_id: agent.id,
    });
    expect(await appointmentRow(test, before.id)).toMatchObject({ sequence: 1 });
    const link = await linkRow(after.access_link.id);
    expectStatus(await put(before.id, { notes: 'For us alone' }), 200);
    expectStatus(await put(before.id, { title: 'Later' }), 200);
    expect(await linkRow(after.access_link.id)).toEqual(link);
    expect(await appointmentRow(test, before.id)).toMatchObject({ sequence: 1, notes: 'For us alone' });
  });

  it('is replaced for another customer, and when staff had cancelled it', async () => {
    const [one, another] = [await createCustomer(tenant), await createCustomer(tenant)];
    const before = await bookConfirmed(tenant, {
      ...freeSlot(test),
      department_id: department.id,
      customer_id: one.id,
    });
    const { access_link: second } = (await put(before.id, { customer_id: another.id })).body.data;
    expect(second.id).not.toBe(before.access_link.id);
    expect(await linkRow(before.access_link.id)).toMatchObject({ cancelled_at: expect.any(Date) });
    expect(await linkRow(second.id)).toMatchObject({ customer_id: another.id, cancelled_at: null });
    await test.db.query('UPDATE access_links SET cancelled_at = now() WHERE id = $1', [second.id]);
    expect((await get(before.id)).access_link).toMatchObject({ id: second.id, status: 'cancelled' });
    const { access_link: third } = (await put(before.id, freeSlot(test))).body.data;
    expect(third).toMatchObject({ status: 'scheduled' });
    expect(third.id).not.toBe(second.id);
  });

  it('is cancelled with its appointment, but a waiting customer stays in the queue', async () => {
    const queue = await tenant.queue();
    const times = { starts_at: inMinutes(test, 5), ends_at: inMinutes(test, 35) };
    const { id: user_id } = await tenant.member();
    const { id, access_link } = await bookConfirmed(tenant, {
      ...times,
      user_id,
      department_id: queue.department.id,
    });
    const { call_id } = await tenant.join(access_link);
    await performStep(tenant, id, 'cancel');
    expectFailure(await test.api.post(`/api/v1/call/${access_link.token}/join`, { name: 'Late' }), 404, {
      code: 'link_cancelled',
    });
    expect((await get(id)).access_link).toMatchObject({ status: 'cancelled' });
    expect((await test.api.get(`/api/v1/call/status/${call_id}`)).body.data).toMatchObject({
      status: 'queued',
    });
  });
});

describe('updating', () => {
  it('accepts any subset of fields, and emits no event when nothing changes', async () => {
    const before = await book(tenant, { ...freeSlot(test), title: 'Renewal', notes: 'Bring it' });
    const answer = await put(before.id, { appointment: { title: null, customer_id: null } });
    expectStatus(answer, 200);
    const { updated_at } = answer.body.data;
    expect(answer.body.data).toEqual({ ...before, title: null, updated_at });
    expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at));
    expectStatus(await put(before.id, { notes: 'Bring it', starts_at: before.starts_at }), 200);
    expectStatus(await put(before.id, {}), 200);
    expect(await get(before.id)).toEqual(answer.body.data);
    expect(await eventsOf(test, before.id)).toEqual(['appointment.created', 'appointment.updated']);
  });

  it.each(['complete', 'cancel', 'no-show'])('is rejected after %s', async (step) => {
    const { id } = await book(tenant, freeSlot(test));
    const before = await performStep(tenant, id, step);
    expectFailure(await put(id, { title: 'Again' }), 422, { code: 'appointment_closed' });
    expect(await get(id)).toEqual(before);
  });

  it.each<[string, Json]>([
    ['user_id', { user_id: null }],
    ['user_id', { user_id: someId() }],
    ['starts_at', { starts_at: null }],
    ['starts_at', { starts_at: 'soon' }],
    ['ends_at', { ends_at: null }],
    ['ends_at', { starts_at: '2099-01-01' }],
    ['ends_at', { ends_at: '2020-01-01' }],
    ['department_id', { department_id: someId() }],
    ['customer_id', { customer_id: someId() }],
  ])('rejects an invalid %s: %j', async (field, input) => {
    const before = await book(tenant, freeSlot(test));
    expectFailure(await put(before.id, input), 422, { code: 'validation_failed', field });
    expect(await get(before.id)).toEqual(before);
  });

  it.each(['user_id', 'starts_at', 'ends_at'])('rejects null for %s, which is required', async (field) => {
    const { id } = await book(tenant, freeSlot(test));
    expect((await put(id, { [field]: null })).body.errors.fields).toEqual({ [field]: ['is required'] });
  });

  it('recalculates the deadlines when the start changes', async () => {
    const { id, starts_at } = await bookConfirmed(tenant, {
      ...freeSlot(test),
      department_id: department.id,
    });
    const deadlines = async () => {
      const { reminder_day_deadline, reminder_soon_deadline, no_show_deadline } = await appointmentRow(
        test,
        id,
      );
      return [reminder_day_deadline, reminder_soon_deadline, no_show_deadline].map((at) => at?.toISOString());
    };
    expect(await deadlines()).toEqual(deadlinesAround(starts_at));
    const slot = freeSlot(test);
    await put(id, slot);
    expect(await deadlines()).toEqual(deadlinesAround(slot.starts_at));
  });
});

describe('the list of appointments', () => {
  it('is sorted by start, the earliest first, and contains the links', async () => {
    const { id: user_id } = await tenant.member();
    const [late, early] = [freeSlot(test), freeSlot(test)].toReversed() as [Json, Json];
    const second = await book(tenant, { ...late, user_id });
    const first = await bookConfirmed(tenant, { ...early, user_id, department_id: department.id });
    const answer = await agent.api.get(`${APPOINTMENTS}?user_id=${user_id}`);
    expect(answer.body).toEqual({
      data: [first, second],
      meta: { current_page: 1, page_size: 20, total_pages: 1, total_count: 2 },
    });
  });

  it('is filtered by status, department, agent, customer and start', async () => {
    const [queue, member] = [await tenant.department(), await tenant.member()];
    const customer = await createCustomer(tenant, { name: 'Zenóbia Paz' });
    const times = { starts_at: '2031-05-10T09:00:00Z', ends_at: '2031-05-10T10:00:00Z' };
    const input = { ...times, user_id: member.id, department_id: queue.id, customer_id: customer.id };
    const { id } = await book(tenant, { ...input, title: 'Quarterly 100%' });
    for (const query of [
      `department_id=${queue.id}`,
      `user_id=${member.id}`,
      `customer_id=${customer.id}`,
      'date_from=2031-05-10&date_to=2031-05-10',
      'date_from=2031-05-10T09:00:00Z&date_to=2031-05-10T09:00:00Z',
      `user_id=${member.id}&status=scheduled`,
      'search=quarterly',
      'search=100%25',
      'search=zen%C3%B3bia',
    ]) {
      expect([query, await idsOf(query)]).toEqual([query, [id]]);
    }
    for (const query of [
      `user_id=${member.id}&status=confirmed`,
      `user_id=${member.id}&date_from=2031-05-10T09:00:00.001Z`,
      `user_id=${member.id}&date_to=2031-05-09`,
      `customer_id=${someId()}`,
      'search=200%25',
      'search=_uarterly',
    ]) {
      expect([query, await idsOf(query)]).toEqual([query, []]);
    }
    expect((await other.owner.api.get(`${APPOINTMENTS}?search=quarterly`)).body.data).toEqual([]);
  });

  it.each([
    'status=open',
    'department_id=x',
    'user_id=x',
    'customer_id=x',
    'date_from=soon',
    'sort_by=token',
  ])('rejects ?%s', async (query) => {
    const field = query.split('=')[0];
    expectFailure(await agent.api.get(`${APPOINTMENTS}?${query}`), 400, { field });
  });
});

describe('records that appointments belong to', () => {
  it('deleting a department cancels its upcoming appointments and removes it from the others', async () => {
    const { id: department_id } = await tenant.department();
    const past = { starts_at: inMinutes(test, -90), ends_at: inMinutes(test, -60) };
    const now = { starts_at: inMinutes(test, -10), ends_at: inMinutes(test, 20) };
    const { id: user_id } = await tenant.member();
    const over = await book(tenant, { ...past, user_id, department_id });
    const live = await Promise.all([
      book(tenant, { ...now, user_id, department_id }),
      bookConfirmed(tenant, { ...freeSlot(test), user_id, department_id }),
    ]);
    const done = await book(tenant, { ...freeSlot(test), department_id });
    await performStep(tenant, done.id, 'complete');
    const elsewhere = await book(tenant, { ...freeSlot(test), department_id: department.id });
    expectStatus(await tenant.owner.api.delete(`/api/v1/departments/${department_id}`), 204);
    await departmentEnded(test, department_id);
    for (const { id } of live)
      expect(await get(id)).toMatchObject({ status: 'cancelled', department_id: null });
    expect(await get(live[1]?.id)).toMatchObject({ access_link: { status: 'cancelled' } });
    expect(await get(over.id)).toMatchObject({ status: 'scheduled', department_id: null });
    expect(await get(done.id)).toMatchObject({ status: 'completed', department_id: null });
    expect(await get(elsewhere.id)).toEqual(elsewhere);
  });

  it('merging customers moves their appointments and links', async () => {
    const [primary, duplicate] = [await createCustomer(tenant), await createCustomer(tenant)];
    const input = { ...freeSlot(test), department_id: department.id, customer_id: duplicate.id };
    const { id, access_link } = await bookConfirmed(tenant, input);
    const merge = { primary_id: primary.id, duplicate_ids: [duplicate.id] };
    expectStatus(await tenant.owner.api.post('/api/v1/customers/merge', merge), 200);
    expect(await get(id)).toMatchObject({ customer_id: primary.id, status: 'confirmed' });
    expect(await linkRow(access_link.id)).toMatchObject({ customer_id: primary.id, cancelled_at: null });
  });

  it('deleting a customer keeps the text of the appointment, erasing a customer removes it', async () => {
    const [one, another] = [await createCustomer(tenant), await createCustomer(tenant)];
    const words = { title: 'For Carla', notes: 'Carla is ill' };
    const kept = await bookConfirmed(tenant, {
      ...freeSlot(test),
      ...words,
      department_id: department.id,
      customer_id: one.id,
    });
    const bare = await book(tenant, { ...freeSlot(test), ...words, customer_id: another.id });
    const exported = await tenant.owner.api.get(`/api/v1/customers/${another.id}/export`);
    expect(exported.body.data.appointments).toEqual([expect.objectContaining({ id: bare.id, ...words })]);
    expectStatus(await tenant.owner.api.delete(`/api/v1/customers/${one.id}`), 204);
    const erasure = await tenant.owner.api.post(`/api/v1/customers/${another.id}/erase`);
    expect(erasure.body.data.erased).toMatchObject({ customers: 1, appointments: 1 });
    expect(await get(kept.id)).toMatchObject({ ...words, customer_id: null, status: 'confirmed' });
    expect(await get(bare.id)).toMatchObject({ title: null, notes: null, customer_id: null });
  });
});
