// The errors of simulated calls.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { scoresOf } = require('../../../dist/src/calls/queue/estimates/estimate-scores.rules.js');

/** What is compared, in seconds. */
const ESTIMATES = {
  told: ({ told }) => told.seconds,
  former: ({ former }) => former,
  oracle: ({ oracle }) => oracle,
};

/** @returns of the answered calls: how many, the mean absolute error and bias of each estimate, and the coverage of ranges */
export function errorsOf(calls) {
  const answered = calls.filter(({ state }) => state === 'answered');
  const scores = Object.entries(ESTIMATES).map(([name, estimateOf]) => [
    name,
    scoresOf(
      answered.map((call) => ({
        estimated: estimateOf(call),
        high: call.told.range?.high ?? null,
        waited: call.waited,
      })),
    ),
  ]);
  const figures = (figure) => Object.fromEntries(scores.map(([name, score]) => [name, score[figure]]));
  return {
    calls: answered.length,
    mae: figures('mae'),
    bias: figures('bias'),
    coverage: scores[0][1].coverage,
  };
}

/** Those who had to wait for an agent. */
export const whoWaited = (calls) => calls.filter(({ told }) => !told.idle);

/** The coverage of ranges if customers who left are counted by the wait that they did not wait for. */
export function coverageOfAll(calls) {
  const ends = calls.map(({ state, told, waited, patientWait }) => ({
    estimated: told.seconds,
    high: told.range?.high ?? null,
    waited: state === 'answered' ? waited : (patientWait ?? Infinity),
  }));
  return scoresOf(ends).coverage;
}

/** The share of the calls that were told what a former shadow says. */
export const shareOfShadows = (calls) =>
  calls.filter(({ inUse }) => inUse !== 'queue_length').length / calls.length;

/** The share of the calls without a range. */
export const shareWithoutRange = (calls) =>
  calls.filter(({ told }) => told.range === null).length / calls.length;
