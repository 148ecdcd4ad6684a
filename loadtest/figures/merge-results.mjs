// Several processes of one test as one result.
import { Histogram } from './histogram.mjs';

/** @param results of Recorder.result @throws Error if they are not of one test */
export function mergeResults(results) {
  const [first] = results;
  if (results.some(({ target }) => target !== first.target))
    throw new Error('The results are of different targets.');
  const sum = (read) => results.reduce((total, result) => total + read(result), 0);
  return {
    ...first,
    parts: results.flatMap(({ parts }) => parts),
    customers: sum(({ customers }) => customers),
    agents: sum(({ agents }) => agents),
    started_at: Math.min(...results.map(({ started_at }) => started_at)),
    ended_at: Math.max(...results.map(({ ended_at }) => ended_at)),
    counts: addUp(results.map(({ counts }) => counts)),
    waits: addHistograms(results.map(({ waits }) => waits)),
    steps: mergeSteps(results),
    errors: addUp(results.map(({ errors }) => errors)),
    limits: [...new Set(results.flatMap(({ limits }) => limits))],
    wrong_positions: addFigures(results.map(({ wrong_positions }) => wrong_positions)),
    doubled_offers: addFigures(results.map(({ doubled_offers }) => doubled_offers)),
    lost_events: addFigures(results.map(({ lost_events }) => lost_events)),
    timeline: mergeTimelines(results.map(({ timeline }) => timeline)),
    loop_delay_ms: Math.max(...results.map(({ loop_delay_ms }) => loop_delay_ms)),
  };
}

function mergeSteps(results) {
  const names = new Set(results.flatMap(({ steps }) => Object.keys(steps)));
  return Object.fromEntries(
    [...names].map((name) => [name, addHistograms(results.map(({ steps }) => steps[name] ?? {}))]),
  );
}

function addHistograms(all) {
  const sum = new Histogram();
  for (const counts of all) sum.add(new Histogram(counts));
  return sum.counts;
}

/** Adds up the numbers of several objects by name. */
function addUp(objects) {
  const sum = {};
  for (const [name, value] of objects.flatMap((one) => Object.entries(one)))
    sum[name] = (sum[name] ?? 0) + value;
  return sum;
}

/** Their numbers are added up, their examples put together. */
function addFigures(figures) {
  const examples = figures.flatMap((figure) => figure.examples);
  return { ...addUp(figures.map(({ examples: _examples, ...numbers }) => numbers)), examples };
}

/** Adds up the moments of the same second. A process whose test has not begun, or is over, adds what it had last. */
function mergeTimelines(timelines) {
  const seconds = [...new Set(timelines.flat().map(({ at }) => at))].toSorted((one, other) => one - other);
  const remaining = timelines.map((timeline) => ({
    moments: timeline.values(),
    next: undefined,
    last: undefined,
  }));
  for (const one of remaining) one.next = one.moments.next().value;
  return seconds.map((at) => {
    for (const one of remaining) {
      while (one.next && one.next.at <= at) {
        one.last = one.next;
        one.next = one.moments.next().value;
      }
    }
    return { ...addUp(remaining.flatMap(({ last }) => last ?? [])), at };
  });
}
