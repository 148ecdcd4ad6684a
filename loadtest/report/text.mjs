// The result as text for a terminal.
import { problemsOf, serviceLevel, stepFigures, warningsOf } from '../figures/verdict.mjs';
import { Histogram } from '../figures/histogram.mjs';
import { formatCount, formatMs, formatPercent, STEP_MEANINGS } from './format.mjs';

/** @returns lines */
export function textReport(result) {
  const { target, customers, agents, counts, started_at, ended_at, service_level_seconds, parts } = result;
  const waits = new Histogram(result.waits);
  const problems = problemsOf(result);
  return [
    `Load test of ${target}: ${formatCount(customers)} customers, ${formatCount(agents)} agents, ${formatMs(ended_at - started_at)}${parts.length > 1 ? `, ${parts.length} parts` : ''}`,
    '',
    `  service level     ${formatPercent(serviceLevel(result))} answered within ${service_level_seconds} s`,
    `  waits             ${[0.5, 0.95, 1].map((share) => formatMs(waits.percentile(share))).join(' / ')} (median, 95 %, longest)`,
    `  calls             ${Object.entries(counts)
      .filter(([name]) => !/in_time|late/.test(name))
      .map(([name, count]) => `${formatCount(count)} ${name}`)
      .join(', ')}`,
    ...checkLines(result),
    ...errorLines(result),
    '',
    ...stepLines(result),
    '',
    ...warningsOf(result),
    problems.length === 0 ? 'Passed.' : `Not passed: ${problems.join(' ')}`,
  ];
}

function checkLines({ wrong_positions: wrong, doubled_offers: doubled, lost_events: lost }) {
  return [
    `  wrong positions   ${wrong.count} of ${formatCount(wrong.checked)} received or kept, and of ${formatCount(wrong.checked_with_staff)} compared with the line of staff`,
    ...examples(wrong),
    `  doubled offers    ${doubled.count} of ${formatCount(doubled.offers)}`,
    ...examples(doubled),
    `  lost events       ${lost.count} of ${formatCount(lost.expected)}`,
    ...examples(lost),
  ];
}

const MAX_EXAMPLES = 5;

const examples = (figure) =>
  figure.examples.slice(0, MAX_EXAMPLES).map((text) => `                    ${text}`);

function errorLines({ errors }) {
  const entries = Object.entries(errors).toSorted(([, one], [, other]) => other - one);
  if (entries.length === 0) return ['  errors            0'];
  return entries.map(
    ([name, count], index) =>
      `  ${(index === 0 ? 'errors' : '').padEnd(16)}  ${formatCount(count)} × ${name}`,
  );
}

function stepLines(result) {
  const header = ['step', 'count', '50 %', '95 %', '99 %', 'longest'];
  const rows = stepFigures(result, Object.keys(STEP_MEANINGS)).map(({ step, count, p50, p95, p99, max }) => [
    step,
    formatCount(count),
    ...[p50, p95, p99, max].map(formatMs),
  ]);
  return [header, ...rows].map(
    ([step, ...cells]) => `  ${step.padEnd(10)}${cells.map((cell) => cell.padStart(10)).join('')}`,
  );
}
