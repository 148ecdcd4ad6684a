// npm run bench:estimates: simulates days of a call centre and compares what customers are told with how long they wait: the
// estimator, which learns from the calls, the former formula with true rates, and an oracle, the estimator with true rates.
// The exit status is 1 if a target is missed.
import { SCENARIOS } from './support/estimates/scenarios.mjs';
import {
  coverageOfAll,
  errorsOf,
  shareOfShadows,
  shareWithoutRange,
  whoWaited,
} from './support/estimates/scores.mjs';
import { simulateDays } from './support/estimates/simulate-days.mjs';
import { isMissed, progress, report, row } from './support/report.mjs';

const SEEDS = [1, 2, 3, 4, 5];
const DAYS = 10;
/** The estimator knows nothing on the first day; the calls of the first days are not compared. */
const LEARNING_DAYS = 5;
/** Of the mean absolute error compared with the former formula; there is none for departments that share agents. */
const TARGETS = { steady: 1.05, peak: 0.85, leaving: 0.85 };
const MAX_OF_ORACLE = 1.15;
const COVERAGE = { min: 0.85, max: 0.95 };

const toFormer = ({ mae }) => mae.told / mae.former;

const rows = Object.entries(SCENARIOS).map(([name, scenario]) => {
  const begin = performance.now();
  const runs = SEEDS.map((seed) => simulateDays(scenario, seed, DAYS, LEARNING_DAYS));
  progress(`${name}: ${runs.flat().length} calls in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  return rowOf(name, runs);
});
report(rows);
if (rows.some(isMissed)) process.exitCode = 1;

/** Of the answered calls that had to wait for an agent, unless it says otherwise. */
function rowOf(name, runs) {
  const calls = whoWaited(runs.flat());
  const errors = errorsOf(calls);
  const coverage = { value: errors.coverage, unit: null };
  const checks = [
    {
      label: 'ratio to the oracle',
      value: errors.mae.told / errors.mae.oracle,
      target: MAX_OF_ORACLE,
      better: 'lower',
    },
    {
      label: 'ratio of the worst seed',
      value: Math.max(...runs.map((run) => toFormer(errorsOf(whoWaited(run))))),
    },
    { label: 'ratio of all answered calls', value: toFormer(errorsOf(runs.flat())) },
    { label: 'coverage', ...coverage, target: COVERAGE.min },
    { label: 'coverage', ...coverage, target: COVERAGE.max, better: 'lower' },
    { label: 'coverage with those who left', value: coverageOfAll(calls) },
    { label: 'bias', value: errors.bias.told, unit: 's' },
    { label: 'bias of the former formula', value: errors.bias.former, unit: 's' },
    { label: 'told by a former shadow', value: shareOfShadows(calls) },
    { label: 'without a range', value: shareWithoutRange(calls) },
  ];
  const figures = { value: errors.mae.told, unit: 's', peer: errors.mae.former, oracle: errors.mae.oracle };
  return row({
    name: `estimates_${name}`,
    ...figures,
    target: TARGETS[name] ?? null,
    better: 'lower',
    checks,
  });
}
