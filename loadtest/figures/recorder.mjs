// Collects what happens in this process, and returns it as the result: plain data that can be written as JSON and merged.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { InterruptedError, LostEventError } from '../client/peer.mjs';
import { limitSentence } from '../client/limits.mjs';
import { doubledOffers } from '../checks/offers.mjs';
import { Histogram } from './histogram.mjs';

/** Of each kind only the first ones are kept as examples. */
const MAX_EXAMPLES = 20;

export class Recorder {
  /** `{ id, callId, userId, offeredAt, endedAt, deliveries }` by id. */
  offers = new Map();
  #starts = [];
  #steps = new Map();
  #waits = new Histogram();
  #serviceLevelMs;
  #counts = { joined: 0, answered: 0, answered_in_time: 0, completed: 0, rated: 0, left: 0, left_late: 0 };
  #errors = new Map();
  #limits = new Set();
  #wrongPositions = { count: 0, checked: 0, checked_with_staff: 0, examples: [] };
  #lostEvents = { count: 0, expected: 0, examples: [] };
  #timeline = [];
  #startedAt = Date.now();
  #isMeasuring = true;
  #loopDelay = monitorEventLoopDelay({ resolution: 10 });
  /** How many customers wait and talk now. */
  #present = { waiting: 0, active: 0 };

  constructor(serviceLevelSeconds) {
    this.#serviceLevelMs = serviceLevelSeconds * 1000;
    this.#loopDelay.enable();
  }

  /** Measures `work` and counts its failure as an error of the step. @throws what it throws */
  async measure(step, work) {
    const begin = performance.now();
    try {
      const result = await work();
      this.duration(step, performance.now() - begin);
      return result;
    } catch (error) {
      this.error(step, error);
      throw error;
    }
  }

  /** At the end, all calls are completed at the same time: that is no load to measure. */
  stopMeasuring() {
    this.#isMeasuring = false;
  }

  duration(step, ms) {
    if (!this.#isMeasuring) return;
    if (!this.#steps.has(step)) this.#steps.set(step, new Histogram());
    this.#steps.get(step).record(ms);
  }

  /**
   * Waits for an event and measures the time since it was caused.
   * @param sinceMs of performance.now
   * @returns whether it arrived; false if it was lost, or the socket was disconnected meanwhile
   */
  async expect(step, sinceMs, receiving) {
    this.#lostEvents.expected++;
    try {
      this.duration(step, Math.max(0, (await receiving) - sinceMs));
      return true;
    } catch (error) {
      if (error instanceof LostEventError) this.#example(this.#lostEvents, `${step}: ${error.message}`);
      else if (!(error instanceof InterruptedError)) throw error;
      return false;
    }
  }

  /** Counts an error once, at its innermost step. @param error of a request or an event, or a word for a lost connection */
  error(step, error) {
    if (error.isCounted) return;
    if (typeof error !== 'string') error.isCounted = true;
    const { status, code, path, retryAfter, message } =
      typeof error === 'string' ? { message: error } : error;
    const limit = limitSentence(path ?? '', status, code, retryAfter);
    if (limit) this.#limits.add(limit);
    const name = `${step}: ${message}`;
    this.#errors.set(name, (this.#errors.get(name) ?? 0) + 1);
  }

  count(name) {
    this.#counts[name]++;
  }

  change(name, by) {
    this.#present[name] += by;
  }

  answered(waitMs) {
    this.count('answered');
    this.#waits.record(waitMs);
    if (waitMs <= this.#serviceLevelMs) this.count('answered_in_time');
  }

  /** A customer who was not answered before the end. */
  left(waitMs) {
    this.count('left');
    if (waitMs > this.#serviceLevelMs) this.count('left_late');
  }

  /** @param problem undefined if the position is right */
  position(problem, isOfStaff = false) {
    this.#wrongPositions[isOfStaff ? 'checked_with_staff' : 'checked']++;
    if (problem) this.#example(this.#wrongPositions, problem);
  }

  started(callId, userId) {
    this.#starts.push({ callId, userId });
  }

  /** Called once a second. */
  tick() {
    const { joined, answered } = this.#counts;
    const moment = {
      at: Math.floor(Date.now() / 1000),
      joined,
      answered,
      errors: this.errorCount,
      ...this.#present,
    };
    this.#timeline.push(moment);
    return { ...moment, wrong: this.#wrongPositions.count, lost: this.#lostEvents.count };
  }

  get errorNames() {
    return [...this.#errors.keys()];
  }

  get errorCount() {
    return this.#errors.values().reduce((sum, count) => sum + count, 0);
  }

  /** @param options of the test @returns plain data */
  result({ url, customers, agents, minutes, serviceLevelSeconds, part }) {
    const doubled = doubledOffers([...this.offers.values()], this.#starts);
    return {
      target: url,
      parts: [part],
      customers,
      agents,
      minutes,
      service_level_seconds: serviceLevelSeconds,
      started_at: this.#startedAt,
      ended_at: Date.now(),
      counts: this.#counts,
      waits: this.#waits.counts,
      steps: Object.fromEntries([...this.#steps].map(([step, { counts }]) => [step, counts])),
      errors: Object.fromEntries(this.#errors),
      limits: [...this.#limits],
      wrong_positions: this.#wrongPositions,
      doubled_offers: {
        count: doubled.length,
        offers: this.offers.size,
        examples: doubled.slice(0, MAX_EXAMPLES),
      },
      lost_events: this.#lostEvents,
      timeline: this.#timeline,
      loop_delay_ms: this.#loopDelay.percentile(99) / 1e6,
    };
  }

  #example(figure, text) {
    figure.count++;
    if (figure.examples.length < MAX_EXAMPLES) figure.examples.push(text);
  }
}
