import type { Answer, Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { callRow, eventsOf } from '../support/database/rows';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const withStatus = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status);

describe('members of staff who race for a call', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;
  let agents: Member[];
  let supervisors: Member[];

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    ({ department, link } = await tenant.queue({ max_queue_size: 500 }));
    agents = await times(12, () => tenant.member('attendant', [department.id]));
    supervisors = await times(3, () => tenant.member('supervisor', [department.id]));
  });

  afterAll(() => test.close());

  it.each([
    ['twelve attendants', () => agents],
    ['nine attendants and three supervisors', () => [...supervisors, ...agents.slice(3)]],
  ])('of %s, one wins', async (_who, racers) => {
    const { call_id } = await tenant.join(link);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'queued', version: 1, user_id: null });

    const answers = await Promise.all(
      racers().map((racer) => racer.api.post(`/api/v1/calls/${call_id}/assign`)),
    );

    const [won, ...more] = withStatus(answers, 200);
    expect(more).toEqual([]);
    const lost = withStatus(answers, 422);
    expect(lost.map((answer) => answer.body.errors.code)).toEqual(Array(11).fill('invalid_transition'));
    const user_id = won?.body.data.user_id;
    expect(racers().map((racer) => racer.id)).toContain(user_id);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'assigned', version: 2, user_id });
    expect(await eventsOf(test, call_id)).toEqual(['call.queued', 'call.assigned']);
  });

  it('twelve who start one waiting call at once: one talks, and only theirs is the call', async () => {
    const { call_id } = await tenant.join(link);
    const answers = await Promise.all(
      agents.map((agent) => agent.api.post(`/api/v1/calls/${call_id}/start`)),
    );
    expect(withStatus(answers, 200)).toHaveLength(1);
    expect(withStatus(answers, 422)).toHaveLength(11);
    expect(await eventsOf(test, call_id)).toEqual(['call.queued', 'call.assigned', 'call.started']);
    const winner = answers.findIndex((answer) => answer.status === 200);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'active', user_id: agents[winner]?.id });
  });

  it('assigning many different calls at once holds nobody up', async () => {
    const entries = await times(40, () => tenant.join(link));
    const answers = await Promise.all(
      entries.map(({ call_id }, index) =>
        agents[index % agents.length]?.api.post(`/api/v1/calls/${call_id}/assign`),
      ),
    );
    expect(answers.map((answer) => answer?.status)).toEqual(Array(40).fill(200));
  });

  it.each(['assign', 'start'])(
    'a customer cancels while an agent wants to %s: one outcome',
    async (action) => {
      const races = await times(8, async (index) => {
        const { call_id, websocket_token } = await tenant.join(link);
        const agent = agents[index] ?? tenant.owner;
        const [cancelled, moved] = await Promise.all([
          test.api.post(`/api/v1/call/cancel/${call_id}`, undefined, { token: websocket_token }),
          agent.api.post(`/api/v1/calls/${call_id}/${action}`),
        ]);
        return { call_id, cancelled, moved };
      });

      for (const { call_id, cancelled, moved } of races) {
        const [row, events] = [await callRow(test, call_id), await eventsOf(test, call_id)];
        expect([cancelled.status, moved.status].every((status) => [200, 422].includes(status))).toBe(true);
        expect(row.version).toBe(events.length);
        if (row.status === 'active') {
          expect([cancelled.status, moved.status]).toEqual([422, 200]);
          expect(events).toEqual(['call.queued', 'call.assigned', 'call.started']);
          expect(row).toMatchObject({ ended_at: null, end_reason: null });
        } else {
          expect(row).toMatchObject({ status: 'cancelled', end_reason: 'abandoned', started_at: null });
          expect(row).toMatchObject({ next_deadline: null, completed_at: null });
          expect(cancelled.status).toBe(200);
          // An assigned call can still be cancelled; if the cancellation came first, nobody got the call.
          const assigned = moved.status === 200;
          const taken = assigned ? ['call.assigned'] : [];
          expect(events).toEqual(['call.queued', ...taken, 'call.cancelled']);
          expect(row.user_id).toBe(assigned ? moved.body.data.user_id : null);
        }
      }
    },
  );
});

describe('parallel starts', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await sharedTestApp();
  });

  afterAll(() => test.close());

  it.each([
    ['free', 1, 1],
    ['basic', 3, 9],
  ] as const)('on the plan %s: %i talk, the others wait on', async (plan, most, members) => {
    const tenant = await TestTenant.register(test, plan);
    // Of several agents: one alone would wait for their own presence to be settled.
    const staff = [tenant.owner, ...(await times(members, () => tenant.member()))];
    const start = ({ call_id }: Json, index: number) =>
      (staff[index % staff.length] ?? tenant.owner).api.post(`/api/v1/calls/${call_id}/start`);
    const { link } = await tenant.queue();
    const entries = await times(10, () => tenant.join(link));

    const answers = await Promise.all(entries.map(start));

    expect(withStatus(answers, 200)).toHaveLength(most);
    const refused = withStatus(answers, 403);
    expect(refused.map((answer) => answer.body.errors.code)).toEqual(Array(10 - most).fill('plan_limit'));
    const { rows } = await test.db.query(
      'SELECT status, count(*)::int FROM calls WHERE tenant_id = $1 GROUP BY status ORDER BY status',
      [tenant.id],
    );
    expect(rows).toEqual([
      { status: 'active', count: most },
      { status: 'queued', count: 10 - most },
    ]);

    // A place that becomes free can be taken, and by one alone.
    const talking = answers.findIndex((answer) => answer.status === 200);
    await tenant.owner.api.post(`/api/v1/calls/${entries[talking]?.call_id}/complete`);
    const waiting = entries.filter((_, index) => answers[index]?.status === 403);
    const again = await Promise.all(waiting.map(start));
    expect(withStatus(again, 200)).toHaveLength(1);
  });
});
