// The result as one HTML file without anything from elsewhere.
import { Histogram } from '../figures/histogram.mjs';
import { problemsOf, serviceLevel, stepFigures, warningsOf } from '../figures/verdict.mjs';
import { latencyChart, presenceChart, waitChart } from './charts.mjs';
import { formatCount, formatMs, formatPercent, STEP_MEANINGS } from './format.mjs';
import { STYLE } from './style.mjs';

/** The upper ends of the bars of the chart of waits, in seconds. */
const WAIT_ENDS = [5, 10, 20, 60, 300, 1800];

/** @returns the document */
export function htmlReport(result) {
  const { target, customers, agents, parts, started_at, ended_at } = result;
  const problems = problemsOf(result);
  const steps = stepFigures(result, Object.keys(STEP_MEANINGS));
  const facts = [
    `${formatCount(customers)} customers`,
    `${formatCount(agents)} agents`,
    formatMs(ended_at - started_at),
    `${parts.length} ${parts.length === 1 ? 'process' : 'processes'}`,
    new Date(started_at).toISOString(),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Load test of ${escape(target)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Load test of ${escape(target)}</h1>
<p class="quiet">${escape(facts.join(' · '))}</p>
<p class="verdict ${problems.length === 0 ? 'good">Passed' : 'bad">Not passed'}</p>
${list(problems)}${list(warningsOf(result))}
</header>
${tiles(result)}
<div class="pair">
<section><h2>Customers who wait, and calls in progress</h2>${presenceChart(result.timeline)}</section>
<section><h2>Calls by how long they waited at most</h2>${waitChart(waitBuckets(result))}</section>
</div>
<section><h2>Latencies: median (bar), 95 % and 99 % (marks)</h2>${latencyChart(steps)}</section>
<section><h2>Steps</h2><div class="scroll">${stepTable(steps)}</div></section>
${checks(result)}
${errors(result)}
</body>
</html>
`;
}

function tiles({ wrong_positions, doubled_offers, lost_events, errors, counts, ...result }) {
  const errorCount = Object.values(errors).reduce((sum, count) => sum + count, 0);
  const level = `answered within ${result.service_level_seconds} s`;
  const zero = (count, label) => tile(formatCount(count), label, count === 0 ? 'good' : 'bad');
  return `<section class="tiles">
${tile(formatPercent(serviceLevel({ counts })), level)}
${tile(formatCount(counts.completed), 'calls completed')}
${zero(errorCount, 'errors')}
${zero(wrong_positions.count, 'wrong positions')}
${zero(doubled_offers.count, 'doubled offers')}
${zero(lost_events.count, 'lost events')}
</section>`;
}

/** @param grade good or bad, for a figure that must be zero */
function tile(value, label, grade = '') {
  return `<div class="tile"><b class="${grade}">${value}</b>${escape(label)}</div>`;
}

function waitBuckets({ waits }) {
  const histogram = new Histogram(waits);
  const upTo = WAIT_ENDS.map((seconds) => histogram.countUpTo(seconds * 1000));
  const bars = WAIT_ENDS.map((seconds, index) => ({
    label: seconds < 60 ? `${seconds} s` : `${seconds / 60} min`,
    count: upTo[index] - (upTo[index - 1] ?? 0),
  }));
  return [...bars, { label: 'more', count: histogram.total - upTo.at(-1) }];
}

function stepTable(steps) {
  const rows = steps.map(
    ({ step, count, p50, p95, p99, max }) =>
      `<tr><td>${step}</td><td class="text">${STEP_MEANINGS[step]}</td><td>${formatCount(count)}</td>${[p50, p95, p99, max].map((ms) => `<td>${formatMs(ms)}</td>`).join('')}</tr>`,
  );
  return `<table><tr><th>Step</th><th class="text">From, to</th><th>Count</th><th>50 %</th><th>95 %</th><th>99 %</th><th>Longest</th></tr>${rows.join('')}</table>`;
}

function checks({ wrong_positions: wrong, doubled_offers: doubled, lost_events: lost }) {
  return `<section><h2>What was checked</h2>
<p>${formatCount(wrong.checked)} positions that customers received or kept, and ${formatCount(wrong.checked_with_staff)} that were compared with the line of staff: ${wrong.count} wrong.</p>${list(wrong.examples)}
<p>${formatCount(doubled.offers)} offers: ${doubled.count} doubled.</p>${list(doubled.examples)}
<p>${formatCount(lost.expected)} events that had to arrive: ${lost.count} lost.</p>${list(lost.examples)}</section>`;
}

function errors({ errors }) {
  const entries = Object.entries(errors).toSorted(([, one], [, other]) => other - one);
  if (entries.length === 0) return '';
  const rows = entries.map(
    ([name, count]) => `<tr><td>${escape(name)}</td><td>${formatCount(count)}</td></tr>`,
  );
  return `<section><h2>Errors</h2><div class="scroll"><table>${rows.join('')}</table></div></section>`;
}

const list = (items) =>
  items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${escape(item)}</li>`).join('')}</ul>`;

const escape = (text) =>
  text.replaceAll(
    /[&<>"]/g,
    (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character],
  );
