import { randomUUID } from 'node:crypto';
import { customerEstimate, type LineRate } from './customer-estimate.rules';
import { type LineRow, walkLine } from './line-walk.rules';
import { learnedAt, NOTHING_LEARNED } from './learning/wait-learning.rules';

const NOW = new Date('2026-03-02T12:00:00Z');
const LEARNED = learnedAt(0, NOTHING_LEARNED);
const [A, B, C] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b', 'c'];

const rate = (...groups: [agents: number, ...others: string[]][]): LineRate => ({
  groups: groups.map(([agents, ...others]) => ({ agents, others })),
  online_agents: groups.reduce((sum, [agents]) => sum + agents, 0),
  idle_agents: 0,
  mean_handle_time: null,
});

const line = (changes: Partial<LineRow> = {}): LineRow => ({
  ...rate([2]),
  others: [],
  calls: null,
  overflowed: null,
  offered: null,
  ...changes,
});

/** A call may wait for an hour, or until a deadline. */
const LIMIT = 3600;

const call = (id: string, version = 1, deadline = String(-LIMIT * 1000)) => `${id} ${version} ${deadline}`;

const walk = (row: LineRow, skilled: Parameters<typeof walkLine>[1] = []) =>
  walkLine(row, skilled, LEARNED, NOW);

const expected = (position: number, rates: LineRate, aheads: number[] = [], offered = 0) => {
  const groups = rates.groups.map((group, index) => ({ ...group, ahead: aheads[index] ?? null }));
  return customerEstimate({ position, offered, waited: 0, limit: LIMIT }, { ...rates, groups }, LEARNED);
};

describe('walkLine', () => {
  it('returns nothing for a line without calls', () => expect(walk(line())).toEqual([]));

  it('numbers the calls', () => {
    const positions = walk(line({ calls: [call(A, 3), call(B, 7)].join(), overflowed: B }));
    expect(positions).toEqual([
      { call_id: A, version: 3, position: 1, queue_size: 2, ringing: false, ...expected(1, rate([2])) },
      {
        call_id: B,
        version: 7,
        position: 2,
        queue_size: 2,
        ringing: false,
        is_overflowed: true,
        ...expected(2, rate([2])),
      },
    ]);
  });

  it('counts the calls of other lines for the agents who serve these, each once', () => {
    const others = ['x', 'y', 'z'];
    const shared = rate([1], [2, 'x'], [3, 'x', 'y']);
    const calls = ['1', '3', call(A), '2', '1+2', call(B)].join();
    expect(walk(line({ ...shared, others, calls }))).toMatchObject([
      { call_id: A, position: 1, ...expected(1, shared, [0, 1, 1]) },
      { call_id: B, position: 2, ...expected(2, shared, [1, 3, 4]) },
    ]);
  });

  it('gives calls that require skills the agents who have them', () => {
    const skilled = rate([1], [1, 'x']);
    const positions = walk(
      line({ ...rate([5], [1, 'x']), others: ['x'], calls: [call(A), '1', call(B)].join() }),
      [{ ...skilled, ids: [C, B].join() }],
    );
    expect(positions).toMatchObject([
      { call_id: A, ...expected(1, rate([5], [1, 'x']), [0, 0]) },
      { call_id: B, ...expected(2, skilled, [1, 2]) },
    ]);
  });

  it('knows which calls ahead are being offered, for the agents who are idle', () => {
    const idle = { ...rate([3]), idle_agents: 1 };
    const positions = walk(line({ ...idle, calls: [call(A), call(B)].join(), offered: A }));
    expect(positions).toMatchObject([expected(1, idle), expected(2, idle, [], 1)]);
    expect(positions.map(({ ringing }) => ringing)).toEqual([true, false]);
    expect(positions.map(({ estimated_wait_time }) => estimated_wait_time)).toEqual([10, 10]);
    expect(walk(line({ ...idle, calls: [call(A), call(B)].join() }))[1]).toMatchObject(expected(2, idle));
  });

  it('limits the estimate by the time until the wait ends, and counts the time since the join', () => {
    const deadline = String(NOW.getTime() + 20_500);
    expect(walk(line({ calls: call(A, 1, deadline) }))[0]?.estimated_wait_time).toBe(21);
    // Of a customer who will be called back.
    expect(walk(line({ calls: call(A, 1, '-30000') }))[0]?.estimated_wait_time).toBe(30);
    const learned = { ...LEARNED, lastWait: 70, inUse: 'last_wait' } as const;
    const calls = call(A, 1, `-3600000 ${NOW.getTime() - 30_000}`);
    expect(walkLine(line({ calls }), [], learned, NOW)[0]?.estimated_wait_time).toBe(40);
  });

  it('says the former formula where no agent is reachable', () => {
    const nobody = { ...rate(), mean_handle_time: 100 };
    const calls = [call(A), call(randomUUID())].join();
    expect(walk(line({ ...nobody, calls }))).toMatchObject([
      { estimated_wait_time: 100, estimated_wait_range: null },
      { estimated_wait_time: 200, estimated_wait_range: null },
    ]);
  });
});
