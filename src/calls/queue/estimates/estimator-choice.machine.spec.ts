import {
  type AnsweredCall,
  COMPARED_CALLS,
  chooseEstimator,
  type Estimates,
  type EstimatorChoice,
  type EstimatorName,
  INITIAL_CHOICE,
  recordAnswer,
} from './estimator-choice.machine';

const WAITED = 1000;

/** A call that was answered after 1,000 s. @param errors of the estimators; null if one could not say anything */
function call(errors: Estimates): AnsweredCall {
  const estimate = (error: number | null) => (error === null ? null : WAITED - error);
  const { queue_length, last_wait, mean_wait } = errors;
  return {
    waited: WAITED,
    estimates: {
      queue_length: estimate(queue_length),
      last_wait: estimate(last_wait),
      mean_wait: estimate(mean_wait),
    },
  };
}
const calls = (count: number, errors: Estimates) => Array.from({ length: count }, () => call(errors));
const record = (answered: readonly AnsweredCall[], from: EstimatorChoice = INITIAL_CHOICE) =>
  answered.reduce(recordAnswer, from);

const LAST_WAIT_BETTER = { queue_length: 100, last_wait: 90, mean_wait: 200 };

describe('chooseEstimator', () => {
  it.each<{ case: string; inUse?: EstimatorName; errors: Estimates; chosen: EstimatorName }>([
    { case: '10 % better', errors: LAST_WAIT_BETTER, chosen: 'last_wait' },
    { case: 'less than 10 % better', errors: { ...LAST_WAIT_BETTER, last_wait: 91 }, chosen: 'queue_length' },
    {
      case: 'better, both, so the best',
      errors: { queue_length: 100, last_wait: 50, mean_wait: -40 },
      chosen: 'mean_wait',
    },
    { case: 'equally good', errors: { queue_length: 0, last_wait: 0, mean_wait: 0 }, chosen: 'queue_length' },
    {
      case: 'better than the former shadow in use',
      inUse: 'last_wait',
      errors: { queue_length: 10, last_wait: 90, mean_wait: 90 },
      chosen: 'queue_length',
    },
    {
      case: 'without any estimate',
      errors: { queue_length: 100, last_wait: null, mean_wait: null },
      chosen: 'queue_length',
    },
    {
      case: 'without any estimate, as the one in use',
      inUse: 'mean_wait',
      errors: { queue_length: null, last_wait: null, mean_wait: null },
      chosen: 'mean_wait',
    },
  ])('chooses $chosen if a shadow is $case', ({ inUse = 'queue_length', errors, chosen }) => {
    expect(chooseEstimator(inUse, calls(COMPARED_CALLS, errors))).toBe(chosen);
  });

  it('counts errors in both directions', () => {
    const even = [
      ...calls(100, { ...LAST_WAIT_BETTER, last_wait: 99 }),
      ...calls(100, { ...LAST_WAIT_BETTER, last_wait: -99 }),
    ];
    expect(chooseEstimator('queue_length', even)).toBe('queue_length');
  });
});

describe('recordAnswer', () => {
  it('lets a better shadow take over with the 200th call', () => {
    const before = record(calls(199, LAST_WAIT_BETTER));
    expect(before.inUse).toBe('queue_length');
    expect(recordAnswer(before, call(LAST_WAIT_BETTER)).inUse).toBe('last_wait');
  });

  it('compares the last 200 calls', () => {
    const good = { ...LAST_WAIT_BETTER, last_wait: 0 };
    const bad = { ...LAST_WAIT_BETTER, last_wait: 181 };
    // 101 of 200 calls were bad, and one more that no longer counts: the mean is 91.4.
    expect(record([...calls(102, bad), ...calls(99, good)]).inUse).toBe('queue_length');
    expect(record([...calls(102, bad), ...calls(101, good)]).inUse).toBe('last_wait');
    expect(record(calls(500, bad)).recent).toHaveLength(COMPARED_CALLS);
  });

  it('gives way again when the former estimator is 10 % better', () => {
    const taken = record(calls(200, LAST_WAIT_BETTER));
    expect(taken.inUse).toBe('last_wait');
    const queueLengthBetter = { queue_length: 0, last_wait: 90, mean_wait: 200 };
    // It has an error of 100 s in the other calls: with 38 of these, 81 s on average.
    expect(record(calls(38, queueLengthBetter), taken).inUse).toBe('queue_length');
    expect(record(calls(37, queueLengthBetter), taken).inUse).toBe('last_wait');
  });
});
