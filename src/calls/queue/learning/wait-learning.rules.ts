import { type DecayingMean, NO_OBSERVATIONS, observe } from '../estimates/decaying-mean.rules';
import { type DelayHistory, lastWait, meanWait, withWait } from '../estimates/delay-history.rules';
import {
  type EstimatorChoice,
  type EstimatorName,
  INITIAL_CHOICE,
  recordAnswer,
} from '../estimates/estimator-choice.machine';
import { abandonmentRate, HALF_LIVES, meanHandleTime, meanOfferLatency } from '../estimates/line-rates.rules';
import type { LearnedWaits } from '../estimates/wait-estimate.rules';
import { NO_RATIOS, type WaitRatios, waitRatios } from '../estimates/wait-range.rules';
import { estimatesOf, type JoinEstimate } from './join-estimate.rules';

/** How a wait ended: the customer was answered, left by their own choice, or ceased to wait for another reason. */
export type WaitOutcome = 'answered' | 'left' | 'censored';

/** A wait that has ended. Times and durations are in seconds. */
export interface EndedWait {
  at: number;
  waited: number;
  outcome: WaitOutcome;
  /** Null if no agent was reachable when the call joined. */
  estimate: JoinEstimate | null;
}

/** A part of a call that has ended, with its wrap-up. */
export interface HandledPart {
  at: number;
  /** Seconds, with the wrap-up. */
  seconds: number;
  /** The local hour of the week in which it ended, 0 to 167 from Monday 0:00. */
  hour: number;
}

/** What a department has learned, apart from its ranges. */
export interface WaitLearning {
  handleTimes: DecayingMean;
  /** By hour of the week. */
  handleTimesByHour: Readonly<Record<string, DecayingMean>>;
  waits: DecayingMean;
  latencies: DecayingMean;
  history: DelayHistory;
  choice: EstimatorChoice;
}

export const NOTHING_LEARNED: WaitLearning = {
  handleTimes: NO_OBSERVATIONS,
  handleTimesByHour: {},
  waits: NO_OBSERVATIONS,
  latencies: NO_OBSERVATIONS,
  history: [],
  choice: INITIAL_CHOICE,
};

/** A wait by which ranges are computed: one of a call that got an estimate. */
export interface LearnedWait {
  estimate: Pick<JoinEstimate, EstimatorName | 'idle'>;
  waited: number;
  answered: boolean;
}

/** How many waits of a department are kept for its ranges. */
export const MAX_LEARNED_WAITS = 3000;
/** After how many waits the ranges of a department are computed again; after a tenth of its waits while it has few. */
const MAX_WAITS_PER_UPDATE = 100;

export function learnPart(learning: WaitLearning, { at, seconds, hour }: HandledPart): WaitLearning {
  const part = { sum: seconds, weight: 1 };
  const ofHour = learning.handleTimesByHour[hour] ?? NO_OBSERVATIONS;
  return {
    ...learning,
    handleTimes: observe(learning.handleTimes, part, at, HALF_LIVES.handleTime),
    handleTimesByHour: {
      ...learning.handleTimesByHour,
      [hour]: observe(ofHour, part, at, HALF_LIVES.handleTimeOfHour),
    },
  };
}

export function learnWait(learning: WaitLearning, wait: EndedWait): WaitLearning {
  const { at, waited, outcome, estimate } = wait;
  const left = { sum: outcome === 'left' ? 1 : 0, weight: waited };
  const learned = { ...learning, waits: observe(learning.waits, left, at, HALF_LIVES.abandonment) };
  // Nothing is known of the agents whom a call without an estimate waited for.
  if (outcome !== 'answered' || estimate === null) return learned;
  if (estimate.idle) {
    const latency = { sum: waited, weight: 1 };
    return { ...learned, latencies: observe(learning.latencies, latency, at, HALF_LIVES.offerLatency) };
  }
  return {
    ...learned,
    history: withWait(learning.history, waited),
    choice: recordAnswer(learning.choice, { estimates: estimatesOf(estimate), waited }),
  };
}

/**
 * Learns from waits and parts of calls.
 * @param ended in the order in which they ended
 * @returns what is known then, and the waits by which ranges are computed
 */
export function learnAll(
  before: WaitLearning,
  ended: readonly (EndedWait | HandledPart)[],
): { learning: WaitLearning; waits: LearnedWait[] } {
  let learning = before;
  for (const item of ended) learning = isWait(item) ? learnWait(learning, item) : learnPart(learning, item);
  return { learning, waits: learnedWaitsOf(ended.filter(isWait)) };
}

const isWait = (item: EndedWait | HandledPart): item is EndedWait => 'outcome' in item;

/** @returns the waits by which ranges are computed, in the same order */
export function learnedWaitsOf(waits: readonly EndedWait[]): LearnedWait[] {
  return waits.flatMap(({ estimate, waited, outcome }) =>
    estimate === null ? [] : [{ estimate, waited, answered: outcome === 'answered' }],
  );
}

/**
 * Whether ranges are to be computed again, if the same estimator is in use.
 * @param before how many waits had been learned when they were
 * @param now how many have been
 */
export const areRatiosDue = (before: number, now: number): boolean =>
  now > before && now - before >= Math.min(MAX_WAITS_PER_UPDATE, now / 10);

/** The ranges if this estimator is used. @param waits the latest at the end */
export function ratiosOf(waits: readonly LearnedWait[], inUse: EstimatorName): WaitRatios {
  return waitRatios(
    waits.slice(-MAX_LEARNED_WAITS).map(({ estimate, waited, answered }) => ({
      estimated: estimate[inUse] ?? estimate.queue_length,
      idle: estimate.idle,
      waited,
      answered,
    })),
  );
}

/** As the estimator needs it. @param hour the present hour of the week */
export function learnedAt(
  hour: number,
  { handleTimes, handleTimesByHour, waits, latencies, history, choice }: WaitLearning,
  ratios: WaitRatios = NO_RATIOS,
): LearnedWaits {
  return {
    handleTime: meanHandleTime(handleTimes, handleTimesByHour[hour]),
    abandonmentRate: abandonmentRate(waits),
    offerLatency: meanOfferLatency(latencies),
    lastWait: lastWait(history),
    meanWait: meanWait(history),
    inUse: choice.inUse,
    ratios,
  };
}
