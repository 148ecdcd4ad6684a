// What the service would learn of a department from its calls.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const rules = (name) => require(`../../../dist/src/calls/queue/estimates/${name}.js`);
const { NO_OBSERVATIONS, observe } = rules('decaying-mean.rules');
const { abandonmentRate, HALF_LIVES, meanHandleTime, meanOfferLatency } = rules('line-rates.rules');
const { lastWait, meanWait, withWait } = rules('delay-history.rules');
const { INITIAL_CHOICE, recordAnswer } = rules('estimator-choice.machine');
const { NO_RATIOS, waitRatios } = rules('wait-range.rules');

/** The outcomes by which ranges are computed, and after how many calls they are computed again. */
const MAX_OUTCOMES = 3000;
const CALLS_PER_UPDATE = 100;

const hourOfWeek = (time) => Math.floor(time / 3600) % 168;

export class LearnedWaitsOfLine {
  #handleTimes = NO_OBSERVATIONS;
  #handleTimesByHour = new Map();
  #waits = NO_OBSERVATIONS;
  #latencies = NO_OBSERVATIONS;
  #history = [];
  #outcomes = [];
  #ended = 0;
  #ratios = NO_RATIOS;
  #choice = INITIAL_CHOICE;

  /** As the estimator needs it. */
  at(time) {
    return {
      handleTime: meanHandleTime(this.#handleTimes, this.#handleTimesByHour.get(hourOfWeek(time))),
      abandonmentRate: abandonmentRate(this.#waits),
      offerLatency: meanOfferLatency(this.#latencies),
      lastWait: lastWait(this.#history),
      meanWait: meanWait(this.#history),
      inUse: this.#choice.inUse,
      ratios: this.#ratios,
    };
  }

  handled(seconds, now) {
    const hour = hourOfWeek(now);
    const call = { sum: seconds, weight: 1 };
    const ofHour = this.#handleTimesByHour.get(hour) ?? NO_OBSERVATIONS;
    this.#handleTimes = observe(this.#handleTimes, call, now, HALF_LIVES.handleTime);
    this.#handleTimesByHour.set(hour, observe(ofHour, call, now, HALF_LIVES.handleTimeOfHour));
  }

  /** A call was answered, or its customer has left; `told` is its estimate at the join. */
  ended({ waited, state, told: { estimates, idle } }, now) {
    const answered = state === 'answered';
    const left = { sum: state === 'left' ? 1 : 0, weight: waited };
    this.#waits = observe(this.#waits, left, now, HALF_LIVES.abandonment);
    if (answered) this.#answered({ estimates, waited }, idle, now);
    this.#outcomes.push({ estimates, idle, waited, answered });
    if (++this.#ended % CALLS_PER_UPDATE === 0) this.#updateRatios();
  }

  #answered(call, idle, now) {
    const { waited } = call;
    if (idle) {
      const wait = { sum: waited, weight: 1 };
      this.#latencies = observe(this.#latencies, wait, now, HALF_LIVES.offerLatency);
    } else {
      this.#history = withWait(this.#history, waited);
      this.#choice = recordAnswer(this.#choice, call);
    }
  }

  #updateRatios() {
    this.#outcomes = this.#outcomes.slice(-MAX_OUTCOMES);
    const { inUse } = this.#choice;
    const estimated = (estimates) => estimates[inUse] ?? estimates.queue_length;
    this.#ratios = waitRatios(
      this.#outcomes.map(({ estimates, idle, waited, answered }) => ({
        estimated: estimated(estimates),
        idle,
        waited,
        answered,
      })),
    );
  }
}
