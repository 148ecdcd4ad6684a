import { type CensoredValue, quantiles } from './kaplan-meier.rules';

/** Seconds: half of the calls wait no longer than `low`, nine of ten no longer than `high`. */
export interface WaitRange {
  low: number;
  high: number;
}

/** What was said when a call joined, and how it ended. */
export interface EstimateOutcome {
  /** Seconds. */
  estimated: number;
  /** Whether an agent was idle. */
  idle: boolean;
  /** Seconds until the answer, or until the call ceased to wait. */
  waited: number;
  answered: boolean;
}

/** Long waits are relatively more certain than short ones, and the wait for an idle agent is the agent's reaction. */
export type WaitClass = 'idle' | 'short' | 'medium' | 'long';

/** Actual ÷ estimated wait: the 50th and the 90th percentile. */
export interface RatioRange {
  low: number;
  high: number;
}

/** By class; null while too little is known. */
export type WaitRatios = Readonly<Record<WaitClass, RatioRange | null>>;

const MAX_SHORT = 60;
const MAX_MEDIUM = 300;
/** Answered calls that quantiles need. */
const MIN_ANSWERED = 50;
/** The latest calls of a class, by which its quantiles are computed. */
const MAX_CALLS = 500;
const SHARES = [0.5, 0.9];

export const NO_RATIOS: WaitRatios = { idle: null, short: null, medium: null, long: null };

export function waitClass(estimated: number, idle: boolean): WaitClass {
  if (idle) return 'idle';
  if (estimated < MAX_SHORT) return 'short';
  return estimated < MAX_MEDIUM ? 'medium' : 'long';
}

/** Below one second, ratios would say more of the estimate than of the wait. */
const divisor = (estimated: number) => Math.max(1, estimated);

/**
 * @param outcomes of the department's last calls, the latest at the end. A call that was not answered is censored: it would
 *   have waited longer
 */
export function waitRatios(outcomes: readonly EstimateOutcome[]): WaitRatios {
  const classes = Object.groupBy(outcomes, ({ estimated, idle }) => waitClass(estimated, idle));
  // A class of which too little is known has the quantiles of all calls that had to wait for an agent.
  const busy = ratiosOf(outcomes.filter(({ idle }) => !idle));
  const of = (name: WaitClass) => ratiosOf(classes[name] ?? []);
  return {
    idle: of('idle'),
    short: of('short') ?? busy,
    medium: of('medium') ?? busy,
    long: of('long') ?? busy,
  };
}

function ratiosOf(all: readonly EstimateOutcome[]): RatioRange | null {
  const outcomes = all.slice(-MAX_CALLS);
  if (outcomes.filter(({ answered }) => answered).length < MIN_ANSWERED) return null;
  const ratios: CensoredValue[] = outcomes.map(({ estimated, waited, answered }) => ({
    value: waited / divisor(estimated),
    censored: !answered,
  }));
  const [low, high] = quantiles(ratios, SHARES);
  return low === null || high === null ? null : { low, high };
}

/**
 * @param limit seconds after which the call ceases to wait
 * @returns the range, not rounded; null where nothing can be said
 */
export function rangeOf(
  estimated: number,
  idle: boolean,
  ratios: WaitRatios,
  limit = Infinity,
): WaitRange | null {
  const ratio = ratios[waitClass(estimated, idle)];
  if (ratio === null) return null;
  const at = (share: number) => Math.min(limit, share * divisor(estimated));
  return { low: at(ratio.low), high: at(ratio.high) };
}

const MINUTE = 60;

/** The range as one would say it: to 30 s below 2 minutes, to minutes below 15 minutes, to 5 minutes above. */
export function spokenRange({ low, high }: WaitRange): WaitRange {
  // Half of the calls wait longer than the low end, so it is rounded to the nearest step; the high end is rounded up.
  return {
    low: Math.round(low / stepOf(low)) * stepOf(low),
    high: Math.max(stepOf(high), spokenSeconds(high)),
  };
}

/** Rounded up to the steps of spokenRange. */
export const spokenSeconds = (seconds: number): number =>
  Math.ceil(seconds / stepOf(seconds)) * stepOf(seconds);

function stepOf(seconds: number): number {
  if (seconds < 2 * MINUTE) return 30;
  return seconds < 15 * MINUTE ? MINUTE : 5 * MINUTE;
}
