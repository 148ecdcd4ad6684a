import fc from 'fast-check';
import { NO_RATIOS } from './wait-range.rules';
import { type CallInLine, estimateOf, type LearnedWaits } from './wait-estimate.rules';

const CALL: CallInLine = {
  ahead: 2,
  offered: 0,
  idleAgents: 0,
  agents: [{ agents: 3, aheadInAll: 2 }],
  waited: 0,
  limit: 1000,
};
const LEARNED: LearnedWaits = {
  handleTime: 300,
  abandonmentRate: 0,
  offerLatency: 8,
  lastWait: 250,
  meanWait: 200,
  inUse: 'queue_length',
  ratios: {
    ...NO_RATIOS,
    idle: { low: 1, high: 2 },
    medium: { low: 0.5, high: 1.5 },
    long: { low: 1, high: 2 },
  },
};

describe('estimateOf', () => {
  it('is the wait by the length of the queue, with the other estimates and the range', () => {
    expect(estimateOf({ ...CALL, ahead: 1, agents: [{ agents: 3, aheadInAll: 1 }] }, LEARNED)).toEqual({
      seconds: 200,
      estimates: { queue_length: 200, last_wait: 250, mean_wait: 200 },
      idle: false,
      range: { low: 100, high: 300 },
    });
  });

  it.each<{ case: string; call?: Partial<CallInLine>; learned?: Partial<LearnedWaits>; seconds: number }>([
    { case: 'the length of the queue', seconds: 300 },
    { case: 'customers who leave', learned: { abandonmentRate: 0.01 }, seconds: 100 + 50 + 100 / 3 },
    { case: 'agents who share another line', call: { agents: [{ agents: 3, aheadInAll: 5 }] }, seconds: 600 },
    { case: 'max_wait_time', call: { ahead: 20 }, seconds: 1000 },
    { case: 'the shadow in use', learned: { inUse: 'last_wait' }, seconds: 250 },
    { case: 'the other shadow in use', learned: { inUse: 'mean_wait' }, seconds: 200 },
    { case: 'what it has waited', call: { waited: 150 }, learned: { inUse: 'last_wait' }, seconds: 100 },
    {
      case: 'a longer wait than others',
      call: { waited: 260 },
      learned: { inUse: 'last_wait' },
      seconds: 300,
    },
    { case: 'as long a wait as others', call: { waited: 250 }, learned: { inUse: 'last_wait' }, seconds: 8 },
    {
      case: 'a shadow in use that knows nothing',
      learned: { inUse: 'last_wait', lastWait: null },
      seconds: 300,
    },
    { case: 'max_wait_time and a shadow', call: { limit: 90 }, learned: { inUse: 'last_wait' }, seconds: 90 },
    { case: 'more agents idle than calls ahead', call: { idleAgents: 3 }, seconds: 8 },
    { case: 'only as many idle as calls ahead', call: { idleAgents: 2 }, seconds: 300 },
    { case: 'calls ahead that are being offered', call: { idleAgents: 1, offered: 2 }, seconds: 8 },
    {
      case: 'an idle agent and a shadow',
      call: { idleAgents: 3 },
      learned: { inUse: 'last_wait' },
      seconds: 8,
    },
    { case: 'a handle time of nearly nothing', learned: { handleTime: 0 }, seconds: 1 },
  ])('depends on $case', ({ call, learned, seconds }) => {
    expect(estimateOf({ ...CALL, ...call }, { ...LEARNED, ...learned })!.seconds).toBeCloseTo(seconds, 10);
  });

  it('is null if no agent is reachable, whatever the shadows know', () => {
    expect(estimateOf({ ...CALL, agents: [] }, { ...LEARNED, inUse: 'last_wait' })).toBeNull();
    expect(estimateOf({ ...CALL, agents: [{ agents: 0, aheadInAll: 2 }] }, LEARNED)).toBeNull();
  });

  it('has the range of its class, and none where nothing can be said', () => {
    expect(estimateOf({ ...CALL, idleAgents: 3 }, LEARNED)).toMatchObject({
      idle: true,
      range: { low: 8, high: 16 },
    });
    expect(estimateOf({ ...CALL, limit: 500 }, LEARNED)!.range).toEqual({ low: 300, high: 500 });
    expect(estimateOf(CALL, { ...LEARNED, ratios: NO_RATIOS })!.range).toBeNull();
  });

  it('never says more than the limit or less than nothing', () => {
    const anyCall = fc.record({
      ahead: fc.nat(500),
      offered: fc.constant(0),
      idleAgents: fc.nat(3),
      agents: fc.array(fc.record({ agents: fc.integer({ min: 1, max: 20 }), aheadInAll: fc.nat(800) }), {
        minLength: 1,
        maxLength: 4,
      }),
      waited: fc.nat(2000),
      limit: fc.nat(3600),
    });
    fc.assert(
      fc.property(anyCall, fc.constantFrom('queue_length', 'last_wait', 'mean_wait'), (call, inUse) => {
        const { seconds, estimates, range } = estimateOf(call, {
          ...LEARNED,
          abandonmentRate: 0.001,
          inUse,
        })!;
        for (const value of [seconds, ...Object.values(estimates), range?.low ?? 0, range?.high ?? 0]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(call.limit);
        }
      }),
    );
  });
});
