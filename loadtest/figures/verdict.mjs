// What a result says in short, and whether the test was passed.
import { Histogram } from './histogram.mjs';

/** From here on, the process of the test itself may be what is slow. */
const MAX_LOOP_DELAY_MS = 100;

/** @returns the service level as a share, or null if nobody was answered or waited too long */
export function serviceLevel({ counts: { answered, answered_in_time, left_late } }) {
  const due = answered + left_late;
  return due === 0 ? null : answered_in_time / due;
}

/** @returns `{ step, count, p50, p95, p99, max }` of each step that was measured, in ms */
export function stepFigures({ steps }, names) {
  return names
    .filter((step) => steps[step])
    .map((step) => {
      const histogram = new Histogram(steps[step]);
      const [p50, p95, p99, max] = [0.5, 0.95, 0.99, 1].map((share) => histogram.percentile(share));
      return { step, count: histogram.total, p50, p95, p99, max };
    });
}

/** @returns a sentence for each reason for which the test was not passed */
export function problemsOf(result) {
  const { wrong_positions, doubled_offers, lost_events, errors, counts, limits } = result;
  const errorCount = Object.values(errors).reduce((sum, count) => sum + count, 0);
  return [
    wrong_positions.count > 0 && `${wrong_positions.count} positions were wrong.`,
    doubled_offers.count > 0 && `${doubled_offers.count} offers were doubled.`,
    lost_events.count > 0 && `${lost_events.count} events were lost.`,
    errorCount > 0 && `${errorCount} errors.`,
    counts.answered === 0 && 'No customer was answered.',
    ...limits,
  ].filter(Boolean);
}

/** @returns what makes the figures of the result doubtful */
export function warningsOf({ loop_delay_ms }) {
  if (loop_delay_ms <= MAX_LOOP_DELAY_MS) return [];
  return [
    `The process of the test was busy itself (${Math.round(loop_delay_ms)} ms): its latencies are too high. Use several with --part.`,
  ];
}
