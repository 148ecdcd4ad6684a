import type { Answer, Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { callRow, eventsOf } from '../support/database/rows';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const inParallel = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const withStatus = (responses: Answer[], status: number) =>
  responses.filter((response) => response.status === status);

describe('staff who race for a call', () => {
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
    agents = await inParallel(12, () => tenant.member('attendant', [department.id]));
    supervisors = await inParallel(3, () => tenant.member('supervisor', [department.id]));
  });

  afterAll(() => test.close());

  it.each([
    ['twelve attendants', () => agents],
    ['nine attendants and three supervisors', () => [...supervisors, ...agents.slice(3)]],
  ])('get it only once: %s', async (_title, racers) => {
    const { call_id } = await tenant.join(link);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'queued', version: 1, user_id: null });

    const responses = await Promise.all(
      racers().map((racer) => racer.api.post(`/api/v1/calls/${call_id}/assign`)),
    );

    const [winner, ...otherWinners] = withStatus(responses, 200);
    expect(otherWinners).toEqual([]);
    const losers = withStatus(responses, 422);
    expect(losers.map((response) => response.body.errors.code)).toEqual(Array(11).fill('invalid_transition'));
    const user_id = winner?.body.data.user_id;
    expect(racers().map((racer) => racer.id)).toContain(user_id);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'assigned', version: 2, user_id });
    expect(await eventsOf(test, call_id)).toEqual(['call.queued', 'call.assigned']);
  });

  it('start it only once when twelve agents request the start of the same waiting call', async () => {
    const { call_id } = await tenant.join(link);
    const responses = await Promise.all(
      agents.map((agent) => agent.api.post(`/api/v1/calls/${call_id}/start`)),
    );
    expect(withStatus(responses, 200)).toHaveLength(1);
    expect(withStatus(responses, 422)).toHaveLength(11);
    expect(await eventsOf(test, call_id)).toEqual(['call.queued', 'call.assigned', 'call.started']);
    const winner = responses.findIndex((response) => response.status === 200);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'active', user_id: agents[winner]?.id });
  });

  it('can be assigned many different calls at once', async () => {
    const entries = await inParallel(40, () => tenant.join(link));
    const responses = await Promise.all(
      entries.map(({ call_id }, index) =>
        agents[index % agents.length]?.api.post(`/api/v1/calls/${call_id}/assign`),
      ),
    );
    expect(responses.map((response) => response?.status)).toEqual(Array(40).fill(200));
  });

  it.each(['assign', 'start'])(
    'get one consistent outcome when the customer cancels during their %s request',
    async (action) => {
      const races = await inParallel(8, async (index) => {
        const { call_id, websocket_token } = await tenant.join(link);
        const agent = agents[index] ?? tenant.owner;
        const [cancellation, staffRequest] = await Promise.all([
          test.api.post(`/api/v1/call/cancel/${call_id}`, undefined, { token: websocket_token }),
          agent.api.post(`/api/v1/calls/${call_id}/${action}`),
        ]);
        return { call_id, cancellation, staffRequest };
      });

      for (const { call_id, cancellation, staffRequest } of races) {
        const [row, events] = [await callRow(test, call_id), await eventsOf(test, call_id)];
        expect(
          [cancellation.status, staffRequest.status].every((status) => [200, 422].includes(status)),
        ).toBe(true);
        expect(row.version).toBe(events.length);
        if (row.status === 'active') {
          expect([cancellation.status, staffRequest.status]).toEqual([422, 200]);
          expect(events).toEqual(['call.queued', 'call.assigned', 'call.started']);
          expect(row).toMatchObject({ ended_at: null, end_reason: null });
        } else {
          expect(row).toMatchObject({ status: 'cancelled', end_reason: 'abandoned', started_at: null });
          expect(row).toMatchObject({ next_deadline: null, completed_at: null });
          expect(cancellation.status).toBe(200);
          // An assigned call can still be cancelled; if the cancellation came first, the call has no agent.
          const assigned = staffRequest.status === 200;
          const taken = assigned ? ['call.assigned'] : [];
          expect(events).toEqual(['call.queued', ...taken, 'call.cancelled']);
          expect(row.user_id).toBe(assigned ? staffRequest.body.data.user_id : null);
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
  ] as const)(
    'on the plan %s activate only %i calls and leave the others queued',
    async (plan, maxActive, memberCount) => {
      const tenant = await TestTenant.register(test, plan);
      // Several agents start them: the starts of one agent would wait for each other to update the agent's presence.
      const staff = [tenant.owner, ...(await inParallel(memberCount, () => tenant.member()))];
      const start = ({ call_id }: Json, index: number) =>
        (staff[index % staff.length] ?? tenant.owner).api.post(`/api/v1/calls/${call_id}/start`);
      const { link } = await tenant.queue();
      const entries = await inParallel(10, () => tenant.join(link));

      const responses = await Promise.all(entries.map(start));

      expect(withStatus(responses, 200)).toHaveLength(maxActive);
      const refused = withStatus(responses, 403);
      expect(refused.map((response) => response.body.errors.code)).toEqual(
        Array(10 - maxActive).fill('plan_limit'),
      );
      const { rows } = await test.db.query(
        'SELECT status, count(*)::int FROM calls WHERE tenant_id = $1 GROUP BY status ORDER BY status',
        [tenant.id],
      );
      expect(rows).toEqual([
        { status: 'active', count: maxActive },
        { status: 'queued', count: 10 - maxActive },
      ]);

      // When one call ends, exactly one of the others can start.
      const activeIndex = responses.findIndex((response) => response.status === 200);
      await tenant.owner.api.post(`/api/v1/calls/${entries[activeIndex]?.call_id}/complete`);
      const queuedEntries = entries.filter((_, index) => responses[index]?.status === 403);
      const retries = await Promise.all(queuedEntries.map(start));
      expect(withStatus(retries, 200)).toHaveLength(1);
    },
  );
});
