// The report of bench:abuse.

const MAX_RATIO = 3;
/** What the attackers must have been answered: otherwise it is not the attack that is measured. */
const EXPECTED_ANSWERS = [
  /^105,000 keys 413$/,
  /^250 keys 422$/,
  /^signal ok$/,
  /^signal rate_limited$/,
  /^snapshot ok$/,
  /^search without a match 200$/,
  /^search with many matches 200$/,
  // The large reads share a budget of time.
  /^deep page (200|503)$/,
  /^sorted list (200|503)$/,
  /^duplicates (200|503)$/,
  /^export 200$/,
  /^report 200$/,
  /^broken recording 201$/,
];

/**
 * Prints the phases beside each other. The process fails if a ratio is too high, or if the attack was another one.
 * @param phases `quiet`, `busyProcessors` and `attacked`, each with the 95th percentiles in ms as `latencies` and the 99th
 *   percentile of the event loop's delay as `eventLoopMs`; how many requests of the other tenant were refused; how often
 *   the attackers got each answer
 */
export function reportAbuse({ quiet, busyProcessors, attacked, refusals, counts }) {
  console.log('answers to the attack');
  for (const [name, count] of sorted(counts)) console.log(`  ${name.padEnd(40)} ${count}`);
  const answers = Object.keys(counts);
  const missing = EXPECTED_ANSWERS.filter((pattern) => !answers.some((answer) => pattern.test(answer)));
  if (missing.length > 0) {
    process.exitCode = 1;
    console.log(`never answered to the attack: ${missing.join(', ')}`);
  }
  console.log(`requests of another tenant: ${refusals} refused during the attack; p95 in ms`);
  for (const [name, value] of Object.entries(attacked.latencies)) {
    const ratio = value / quiet.latencies[name];
    if (!(ratio < MAX_RATIO)) process.exitCode = 1;
    console.log(
      `  ${name.padEnd(12)} quiet ${format(quiet.latencies[name])}, processors busy ` +
        `${format(busyProcessors.latencies[name])}, attacked ${format(value)}: ratio ${ratio.toFixed(1)} (below ${MAX_RATIO})`,
    );
  }
  console.log(
    `p99 of the delay of the event loop in ms, of which the timer is 10: quiet ${format(quiet.eventLoopMs)}, processors busy ` +
      `${format(busyProcessors.eventLoopMs)}, attacked ${format(attacked.eventLoopMs)}`,
  );
}

function format(ms) {
  return ms.toFixed(1).padStart(5);
}

function sorted(counts) {
  return Object.entries(counts).toSorted(([one], [other]) => one.localeCompare(other));
}
