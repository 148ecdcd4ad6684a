import { abandonmentRate } from '../estimates/line-rates.rules';
import type { JoinEstimate } from './join-estimate.rules';
import {
  areRatiosDue,
  type EndedWait,
  learnedAt,
  learnedWaitsOf,
  learnPart,
  learnWait,
  MAX_LEARNED_WAITS,
  NOTHING_LEARNED,
  ratiosOf,
  type WaitLearning,
} from './wait-learning.rules';

const BUSY: JoinEstimate = { queue_length: 100, last_wait: 50, mean_wait: null, idle: false, high: null };
const IDLE: JoinEstimate = { ...BUSY, queue_length: 5, idle: true };

const wait = (changes: Partial<EndedWait> = {}): EndedWait => ({
  at: 1000,
  waited: 60,
  outcome: 'answered',
  estimate: BUSY,
  ...changes,
});

const learn = (waits: EndedWait[], from = NOTHING_LEARNED): WaitLearning => waits.reduce(learnWait, from);

describe('learnWait', () => {
  it.each<[string, Partial<EndedWait>, Partial<Record<'left' | 'waited' | 'history' | 'latencies', number>>]>(
    [
      ['an answered call', {}, { left: 0, waited: 60, history: 1, latencies: 0 }],
      ['one that found an agent idle', { estimate: IDLE }, { left: 0, waited: 60, history: 0, latencies: 1 }],
      ['one without an estimate', { estimate: null }, { left: 0, waited: 60, history: 0, latencies: 0 }],
      [
        'a customer who left',
        { outcome: 'left', estimate: IDLE },
        { left: 1, waited: 60, history: 0, latencies: 0 },
      ],
      ['a wait that timed out', { outcome: 'censored' }, { left: 0, waited: 60, history: 0, latencies: 0 }],
    ],
  )('learns from %s', (_title, changes, expected) => {
    const { waits, history, choice, latencies } = learn([wait(changes)]);
    expect({
      left: waits.sum,
      waited: waits.weight,
      history: history.length,
      latencies: latencies.weight,
    }).toEqual(expected);
    expect(choice.recent).toHaveLength(history.length);
  });

  it('compares the estimators by what each had said', () => {
    const { choice } = learn([wait({ waited: 55 })]);
    expect(choice.recent).toEqual([
      { estimates: { queue_length: 100, last_wait: 50, mean_wait: null }, waited: 55 },
    ]);
    expect(learn(Array.from({ length: 200 }, () => wait({ waited: 55 }))).choice.inUse).toBe('last_wait');
  });
});

describe('learnPart', () => {
  it('counts for the department and for the hour of the week', () => {
    const learning = [
      { at: 1000, seconds: 100, hour: 3 },
      { at: 1000, seconds: 300, hour: 4 },
    ].reduce(learnPart, NOTHING_LEARNED);
    expect(learning.handleTimes).toEqual({ sum: 400, weight: 2, at: 1000 });
    expect(learning.handleTimesByHour).toEqual({
      3: { sum: 100, weight: 1, at: 1000 },
      4: { sum: 300, weight: 1, at: 1000 },
    });
    expect(learnedAt(4, learning).handleTime).toBeGreaterThan(learnedAt(3, learning).handleTime);
  });
});

describe('learnedAt', () => {
  it('has the waits of the last answered calls and the rate at which customers leave', () => {
    const learning = learn([wait({ waited: 10 }), wait({ outcome: 'left' }), wait({ waited: 30 })]);
    expect(learnedAt(0, learning)).toMatchObject({
      lastWait: 30,
      meanWait: 20,
      abandonmentRate: abandonmentRate({ sum: 1, weight: 100 }),
      inUse: 'queue_length',
    });
  });
});

describe('ranges', () => {
  it.each([
    [0, 0, false],
    [0, 1, true],
    [50, 54, false],
    [50, 56, true],
    [5000, 5099, false],
    [5000, 5100, true],
  ])('learned from %d waits are computed again after %d: %s', (before, now, isDue) =>
    expect(areRatiosDue(before, now)).toBe(isDue),
  );

  it('leave out calls without an estimate', () =>
    expect(learnedWaitsOf([wait(), wait({ estimate: null }), wait({ outcome: 'left' })])).toEqual([
      { estimate: BUSY, waited: 60, answered: true },
      { estimate: BUSY, waited: 60, answered: false },
    ]));

  it('are those of the estimator in use, or of the length of the queue where it said nothing', () => {
    const waits = Array.from({ length: 60 }, () => ({ estimate: BUSY, waited: 100, answered: true }));
    expect(ratiosOf(waits, 'queue_length').medium).toEqual({ low: 1, high: 1 });
    expect(ratiosOf(waits, 'last_wait').medium).toEqual({ low: 2, high: 2 });
    expect(ratiosOf(waits, 'mean_wait').medium).toEqual({ low: 1, high: 1 });
  });

  it('forget the oldest waits', () => {
    const idle = Array.from({ length: 60 }, () => ({ estimate: IDLE, waited: 5, answered: true }));
    const busy = Array.from({ length: MAX_LEARNED_WAITS }, () => ({
      estimate: BUSY,
      waited: 100,
      answered: true,
    }));
    expect(ratiosOf([...idle, ...busy.slice(60)], 'queue_length').idle).toEqual({ low: 1, high: 1 });
    expect(ratiosOf([...idle, ...busy], 'queue_length').idle).toBeNull();
  });
});
