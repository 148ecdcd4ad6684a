// The report of bench:abuse.

const MAX_RATIO = 3;
/** What the attackers must have been answered: otherwise it is not the attack that is measured. */
const EXPECTED_ANSWERS = [
  /^105,000 keys 413$/,
  /^250 keys 422$/,
  /^join (200|422)$/,
  /^join 429$/,
  /^refresh 422$/,
  /^refresh 429$/,
  /^socket of the customer connected$/,
  /^socket with a bad token token_invalid$/,
  // Of an address with too many of them, connections are refused before their token is read.
  /^socket with a bad token websocket error$/,
  /^socket of the supervisor connected$/,
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
  /^batch 422$/,
  /^batch of invalid links 422$/,
  /^broken recording 201$/,
];

/**
 * Prints the phases beside each other: the medians of the rounds. The process fails if a ratio is too high, or if the attack
 * was another one.
 * @param rounds each with the phases `quiet` and `attacked`; a phase has the 95th percentiles in ms as `latencies` and the
 *   99th percentile of the event loop's delay as `eventLoopMs`
 * @param busyProcessors a phase
 * @param refusals how many requests of the other tenant were refused
 * @param counts how often the attackers got each answer
 */
export function reportAbuse({ rounds, busyProcessors, refusals, counts }) {
  console.log('answers to the attack');
  for (const [name, count] of sorted(counts)) console.log(`  ${name.padEnd(40)} ${count}`);
  const answers = Object.keys(counts);
  const missing = EXPECTED_ANSWERS.filter((pattern) => !answers.some((answer) => pattern.test(answer)));
  if (missing.length > 0) {
    process.exitCode = 1;
    console.log(`never answered to the attack: ${missing.join(', ')}`);
  }
  console.log(
    `requests of another tenant: ${refusals} refused during the attack; p95 in ms, medians of ${rounds.length} rounds`,
  );
  for (const name of Object.keys(busyProcessors.latencies)) {
    const [quiet, attacked] = medianPhases(({ latencies }) => latencies[name]);
    const ratio = median(rounds.map((round) => round.attacked.latencies[name] / round.quiet.latencies[name]));
    if (!(ratio < MAX_RATIO)) process.exitCode = 1;
    console.log(
      `  ${name.padEnd(12)} quiet ${format(quiet)}, processors busy ${format(busyProcessors.latencies[name])}, ` +
        `attacked ${format(attacked)}: ratio ${ratio.toFixed(1)} (below ${MAX_RATIO})`,
    );
  }
  const [quietLoop, attackedLoop] = medianPhases(({ eventLoopMs }) => eventLoopMs);
  console.log(
    `p99 of the delay of the event loop in ms, of which the timer is 10: quiet ${format(quietLoop)}, processors busy ` +
      `${format(busyProcessors.eventLoopMs)}, attacked ${format(attackedLoop)}`,
  );

  function medianPhases(valueOf) {
    return ['quiet', 'attacked'].map((phase) => median(rounds.map((round) => valueOf(round[phase]))));
  }
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)];

function format(ms) {
  return ms.toFixed(1).padStart(5);
}

function sorted(counts) {
  return Object.entries(counts).toSorted(([one], [other]) => one.localeCompare(other));
}
