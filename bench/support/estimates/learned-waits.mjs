// What a department learns from its calls: by the rules of the service, and as late as the service does.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const rules = (name) => require(`../../../dist/src/calls/queue/${name}.js`);
const { areRatiosDue, learnAll, learnedAt, MAX_LEARNED_WAITS, NOTHING_LEARNED, ratiosOf } = rules(
  'learning/wait-learning.rules',
);
const { joinEstimateOf } = rules('learning/join-estimate.rules');
const { NO_RATIOS } = rules('estimates/wait-range.rules');

/** Seconds: departments learn every 30 s, and what they have learned is read again within a minute. */
const LEARNING_INTERVAL = 90;

const OUTCOMES = { answered: 'answered', left: 'left', timed_out: 'censored' };

const hourOfWeek = (time) => Math.floor(time / 3600) % 168;

export class LearnedWaitsOfLine {
  #learning = NOTHING_LEARNED;
  #ratios = NO_RATIOS;
  /** The last ones, by which ranges are computed. */
  #waits = [];
  #waitCount = 0;
  #ratiosCount = 0;
  /** What has ended since it learned last. */
  #ended = [];
  #learnsAt = 0;

  /** As the estimator needs it. */
  at(time) {
    if (time >= this.#learnsAt) this.#learn(time);
    return learnedAt(hourOfWeek(time), this.#learning, this.#ratios);
  }

  handled(seconds, at) {
    this.#ended.push({ at, seconds, hour: hourOfWeek(at) });
  }

  /** A call was answered, or its customer has left; `told` is its estimate at the join. */
  ended({ waited, state, told }, at) {
    this.#ended.push({ at, waited, outcome: OUTCOMES[state], estimate: joinEstimateOf(told) });
  }

  #learn(time) {
    const { inUse: before } = this.#learning.choice;
    const { learning, waits } = learnAll(this.#learning, this.#ended);
    const { inUse } = learning.choice;
    this.#learning = learning;
    this.#waits = [...this.#waits, ...waits].slice(-MAX_LEARNED_WAITS);
    this.#waitCount += waits.length;
    this.#ended = [];
    this.#learnsAt = (Math.floor(time / LEARNING_INTERVAL) + 1) * LEARNING_INTERVAL;
    if (inUse === before && !areRatiosDue(this.#ratiosCount, this.#waitCount)) return;
    this.#ratios = ratiosOf(this.#waits, inUse);
    this.#ratiosCount = this.#waitCount;
  }
}
