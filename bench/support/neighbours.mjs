// Customers of other companies, who join while somebody attacks.
import { once } from 'node:events';
import { forkInOwnSession } from './low-priority.mjs';
import { median } from './report.mjs';

const JOINS_PER_SECOND = 20;
const SECONDS = Number(process.env.SECONDS ?? 25) / 2;
const SETTLE_SECONDS = 5;
const MAX_RATIO = 4;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Compares the joins of other companies during an attack with those before it, and prints both. The process fails if one of
 * them is refused, or if they take more than four times as long.
 * @param url of the service
 * @param tokens of a link of each company
 * @param clientHeaders returns the headers of the next customer
 */
export class Neighbours {
  #url;
  #tokens;
  #clientHeaders;
  #next = 0;

  constructor(url, tokens, clientHeaders) {
    this.#url = url;
    this.#tokens = tokens;
    this.#clientHeaders = clientHeaders;
  }

  /** Until the service has its connections to the database, and V8 has compiled its code. */
  async warmUp() {
    await this.#joinFor(SECONDS);
  }

  /** @param attack the name of the attack, and `target` what it needs (single-attacks.mjs) */
  async compare(attack, target, rounds) {
    const results = [];
    const answers = {};
    for (let round = 0; round < rounds; round++) {
      const quiet = await this.#joinFor(SECONDS);
      const attacker = forkInOwnSession('single-attacks.mjs', attack, JSON.stringify(await target(round)));
      try {
        await attacker.isReady;
        await once(attacker, 'message');
        results.push({ quiet, attacked: await this.#joinFor(SECONDS) });
        attacker.send('counts');
        const [counts] = await once(attacker, 'message');
        for (const [answer, count] of Object.entries(counts))
          answers[answer] = (answers[answer] ?? 0) + count;
      } finally {
        await attacker.stop();
      }
      await pause(SETTLE_SECONDS * 1000);
    }
    print(attack, results, answers);
  }

  /** Ends with the last answer. */
  async #joinFor(seconds) {
    const durations = [];
    const statuses = {};
    const pending = [];
    for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
      pending.push(this.#join(durations, statuses));
      await pause(1000 / JOINS_PER_SECOND);
    }
    await Promise.all(pending);
    return { durations, statuses };
  }

  async #join(durations, statuses) {
    const token = this.#tokens[this.#next++ % this.#tokens.length];
    const begin = performance.now();
    const response = await fetch(`${this.#url}/api/v1/call/${token}/join`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.#clientHeaders() },
      body: JSON.stringify({ name: 'Caller' }),
    });
    await response.arrayBuffer();
    durations.push(performance.now() - begin);
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  }
}

function print(attack, results, answers) {
  console.log(`attack: ${attack}`);
  for (const [answer, count] of Object.entries(answers).toSorted(([one], [other]) =>
    one.localeCompare(other),
  ))
    console.log(`    ${answer.padEnd(48)} ${count}`);
  const ratio = median(results.map(({ quiet, attacked }) => p95(attacked) / p95(quiet)));
  const [quiet, attacked] = ['quiet', 'attacked'].map((phase) =>
    median(results.map((result) => p95(result[phase]))),
  );
  const joins = results.reduce((sum, result) => sum + result.attacked.durations.length, 0);
  const refused = results.reduce((sum, result) => sum + joins200(result.attacked), 0);
  if (!(ratio <= MAX_RATIO) || refused > 0) process.exitCode = 1;
  console.log(
    `  join         quiet ${quiet.toFixed(1)}, attacked ${attacked.toFixed(1)}: ratio ${ratio.toFixed(1)} (at most ${MAX_RATIO}); ` +
      `${refused} of ${joins} joins of others refused`,
  );
}

/** How many were not answered with success. */
const joins200 = ({ durations, statuses }) => durations.length - (statuses[200] ?? 0);

const p95 = ({ durations }) =>
  durations.toSorted((one, other) => one - other)[Math.floor(durations.length * 0.95)];
