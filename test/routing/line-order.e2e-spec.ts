import fc from 'fast-check';
import { Queue } from '../../src/calls/queue/queue';
import { rankAt } from '../../src/calls/queue/queue.rules';
import type { Json } from '../support/http/api';
import { TestTenant } from '../support/builders';
import { changeDepartment, secondsAfter } from '../support/contexts/line';
import { callRow, oneTo } from '../support/database/rows';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { closingSockets } from '../support/sockets/connect-sockets';

let test: TestApp;
let tenant: TestTenant;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});

afterEach(() => test.clock.reset());

afterAll(() => test.close());

/** The ids of the calls that wait in the department, in queue order. */
const queueOf = async (departmentId: string): Promise<string[]> => {
  const positions = await test.get(Queue).positionsOf(tenant.id, departmentId);
  expect(positions.map(({ position }) => position)).toEqual(oneTo(positions.length));
  return positions.map(({ call_id }) => call_id);
};

const polledPosition = async (callId: string): Promise<number> =>
  (await test.api.get(`/api/v1/call/status/${callId}`)).body.data.position;

describe('customers with priority', () => {
  it('go before those who have not waited as long as the priority is worth', async () => {
    const { department, link } = await tenant.queue({ max_wait_time: 3600 });
    const watcher = await connect(tenant.owner.token);
    await watcher.send('watch_department', { department_id: department.id });
    const linkOf = (priority: number) => tenant.link(department.id, { priority });
    const [four, nine] = [await linkOf(4), await linkOf(9)];

    const first = await tenant.join(link);
    const socket = await connect(first.websocket_token);
    test.clock.advance(300);
    const second = await tenant.join(four);
    expect(second).toMatchObject({ position: 2, estimated_wait_time: 2 * 180 });
    const third = await tenant.join(nine);
    expect(third).toMatchObject({ position: 1, estimated_wait_time: 180 });
    const last = await tenant.join(link);
    expect(last).toMatchObject({ position: 4, estimated_wait_time: 4 * 180 });

    const ids = [third, first, second, last].map(({ call_id }) => call_id);
    expect(await queueOf(department.id)).toEqual(ids);
    expect(await Promise.all(ids.map(polledPosition))).toEqual([1, 2, 3, 4]);
    await socket.waitFor('queue_position', ({ position }) => position === 2);
    const isComplete = ({ department_id, size }: Json) => department_id === department.id && size === 4;
    const { calls } = await watcher.waitFor('queue_updated', isComplete);
    expect(calls.map(({ id }: Json) => id)).toEqual(ids);
    expect(await callRow(test, third.call_id)).toMatchObject({ priority: 9, estimated_wait_time: 180 });
    const { body } = await tenant.owner.api.get(`/api/v1/calls/${third.call_id}`);
    expect(body.data).toMatchObject({ priority: 9, skills: [] });
  });

  it('keep their places when the worth of priority changes', async () => {
    const { department, link } = await tenant.queue({ max_wait_time: 3600 });
    const first = await tenant.join(link);
    test.clock.advance(600);
    const second = await tenant.join(await tenant.link(department.id, { priority: 9 }));
    await changeDepartment(test, department.id, { priority_step: 3600 });
    expect(await queueOf(department.id)).toEqual([first.call_id, second.call_id]);
    const third = await tenant.join(await tenant.link(department.id, { priority: 1 }));
    expect(third.position).toBe(1);
  });

  it('join at the end behind those whose instance has a clock ahead', async () => {
    const { department, link } = await tenant.queue();
    const { call_id } = await tenant.join(link);
    const ahead = secondsAfter(test.clock.now(), 60);
    await test.db.query('UPDATE calls SET inserted_at = $2, rank_at = $2 WHERE id = $1', [call_id, ahead]);
    expect(await tenant.join(link)).toMatchObject({ position: 1 });
    expect((await queueOf(department.id))[1]).toBe(call_id);
  });
});

interface ArbitraryCall {
  priority: number;
  /** Seconds after the first join. */
  joined: number;
  /** Seconds after the first join at which the call got priority over those without. */
  appointment: number | null;
}

describe('the order of the line', () => {
  const T0 = new Date('2026-01-31T12:00:00.000Z');
  const calls = fc.array(
    fc.record<ArbitraryCall>({
      priority: fc.integer({ min: 0, max: 9 }),
      joined: fc.integer({ min: 0, max: 900 }),
      appointment: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 4 }),
    }),
    { minLength: 1, maxLength: 12 },
  );
  const step = fc.constantFrom(0, 1, 60, 3600);

  /** Inserts the calls in the order of their joins. @returns their ids in this order */
  async function insert(
    departmentId: string,
    joins: ArbitraryCall[],
    priorityStep: number,
  ): Promise<string[]> {
    const ids: string[] = [];
    for (const { priority, joined, appointment } of joins) {
      const at = secondsAfter(T0, joined);
      const { rows } = await test.db.query(
        `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, estimated_wait_time,
           priority, rank_at, priority_since, inserted_at, updated_at)
         VALUES ($1, 'queued', $2, 'Sales', 'Eva', 0, $3, $4, $5, $6, $6) RETURNING id`,
        [
          tenant.id,
          departmentId,
          priority,
          rankAt(at, priority, priorityStep),
          appointment === null ? null : secondsAfter(T0, appointment),
          at,
        ],
      );
      ids.push(rows[0].id);
    }
    return ids;
  }

  it('is total, has appointments first, and lets priority age', async () => {
    await fc.assert(
      fc.asyncProperty(calls, step, async (unsorted, priorityStep) => {
        const joins = unsorted.toSorted((one, other) => one.joined - other.joined);
        const { id } = await tenant.department();
        const ids = await insert(id, joins, priorityStep);
        const queue = await queueOf(id);
        expect(queue.toSorted()).toEqual(ids.toSorted());
        // Positions that are computed for one call agree with those that are computed for all.
        expect(await Promise.all(ids.map(polledPosition))).toEqual(ids.map((one) => 1 + queue.indexOf(one)));
        for (const [index, call] of joins.entries()) {
          for (const [otherIndex, other] of joins.entries()) {
            if (index === otherIndex) continue;
            const isBefore = queue.indexOf(ids[index] ?? '') < queue.indexOf(ids[otherIndex] ?? '');
            expect(isBefore).toBe(goesBefore([call, index], [other, otherIndex], priorityStep));
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  /** As the specification words it, written independently of the service. */
  function goesBefore(
    [call, index]: [ArbitraryCall, number],
    [other, otherIndex]: [ArbitraryCall, number],
    priorityStep: number,
  ): boolean {
    if (call.appointment !== other.appointment) {
      if (call.appointment === null) return false;
      if (other.appointment === null) return true;
      return call.appointment < other.appointment;
    }
    // A call without an advantage in priority is first if it has waited longer by more than the advantage is worth.
    const advantage = (other.priority - call.priority) * priorityStep;
    const waitedLonger = other.joined - call.joined;
    return waitedLonger === advantage ? index < otherIndex : waitedLonger > advantage;
  }
});
