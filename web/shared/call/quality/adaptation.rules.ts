import type { NetworkFigures } from './quality.rules';
import { limitsAt, LAST_STEP, neededBitrate } from './send-limits';

/** How much video this side sends now. Step 0 is the best picture, the last step is audio only. */
export interface Adaptation {
  step: number;
  /** 0 to 1, of what this side sent at this step: the mean, in which older reports weigh less. Null before the first one. */
  loss: number | null;
  /** Since when the network has been too bad for this step; null while it is not. */
  badSince: number | null;
  /** Since when it has been good enough for the step before; null while it is not. */
  goodSince: number | null;
  changedAt: number;
  /** Figures until then say nothing of this step. */
  settledAt: number;
  wasRaised: boolean;
  /** How long the network must be good before the next step up: longer after each step up that failed. */
  raiseDelayMs: number;
}

const BAD_FOR_MS = 3000;
const MIN_RAISE_DELAY_MS = 8000;
const MAX_RAISE_DELAY_MS = 120_000;
/** A step up has failed if the network is too bad within this time. */
const FAILED_WITHIN_MS = 15_000;
/** Bandwidth estimates of a new connection are too low at first. */
const FIRST_SETTLE_MS = 5000;
/** The other side reports the loss of the last seconds. */
const SETTLE_MS = 2000;

/** Of a new report in the mean: single reports of a few packets say little. */
const REPORT_WEIGHT = 0.3;
const MAX_LOSS = 0.1;
/** A network that was bad is so until its mean is below: of few packets, some reports in a row may have no loss by chance. */
const CALM_LOSS = 0.07;
/** Sound itself suffers: two steps at once. */
const SEVERE_LOSS = 0.25;
const MAX_RTT_MS = 1000;
const GOOD_LOSS = 0.02;
const GOOD_RTT_MS = 500;
const HEADROOM = 1.5;

export function startAdaptation(now: number, step = 0): Adaptation {
  return {
    step,
    loss: null,
    badSince: null,
    goodSince: null,
    changedAt: now,
    settledAt: now + FIRST_SETTLE_MS,
    wasRaised: false,
    raiseDelayMs: MIN_RAISE_DELAY_MS,
  };
}

/** Called about once a second. Resolution goes first, then the frame rate, then video; sound stays. */
export function adapt(before: Adaptation, figures: NetworkFigures, now: number): Adaptation {
  if (now < before.settledAt) return before;
  const loss = mean(before.loss, figures.sentLoss);
  const isBadNow = isBad(figures, loss, MAX_LOSS, before.step);
  const isRecent = before.badSince !== null && now - before.badSince < 2 * BAD_FOR_MS;
  const isStillBad = isRecent && isBad(figures, loss, CALM_LOSS, before.step);
  const badSince = isBadNow || isStillBad ? (before.badSince ?? now) : null;
  const goodSince = isGood(figures, before.step) ? (before.goodSince ?? now) : null;
  if (isBadNow && badSince !== null && now - badSince >= BAD_FOR_MS) {
    return lower(before, loss, now);
  }
  if (goodSince !== null && now - goodSince >= before.raiseDelayMs && before.step > 0) {
    return {
      ...startAdaptation(now, before.step - 1),
      settledAt: now,
      wasRaised: true,
      raiseDelayMs: before.raiseDelayMs,
    };
  }
  return { ...before, loss, badSince, goodSince };
}

/** The last attempt to connect was made without video: it comes back as after a bad network. */
export function audioOnly(before: Adaptation, now: number): Adaptation {
  return { ...startAdaptation(now, LAST_STEP), raiseDelayMs: before.raiseDelayMs };
}

export function isAudioOnly(adaptation: Adaptation): boolean {
  return adaptation.step === LAST_STEP;
}

export const currentLimits = (adaptation: Adaptation, sharesScreen: boolean) =>
  limitsAt(adaptation.step, sharesScreen);

function lower(before: Adaptation, loss: number | null, now: number): Adaptation {
  const hasFailed = before.wasRaised && now - before.changedAt < FAILED_WITHIN_MS;
  const raiseDelayMs = hasFailed ? Math.min(before.raiseDelayMs * 2, MAX_RAISE_DELAY_MS) : MIN_RAISE_DELAY_MS;
  const step = Math.min(before.step + ((loss ?? 0) > SEVERE_LOSS ? 2 : 1), LAST_STEP);
  return { ...startAdaptation(now, step), settledAt: now + SETTLE_MS, raiseDelayMs };
}

function mean(before: number | null, report: number | null): number | null {
  if (before === null || report === null) return report ?? before;
  return before + REPORT_WEIGHT * (report - before);
}

function isBad(
  { rttMs, availableBitrate }: NetworkFigures,
  loss: number | null,
  maxLoss: number,
  step: number,
): boolean {
  if (step === LAST_STEP) return false;
  if ((loss ?? 0) > maxLoss || (rttMs ?? 0) > MAX_RTT_MS) return true;
  return availableBitrate !== null && availableBitrate < neededBitrate(step);
}

function isGood({ sentLoss, rttMs, availableBitrate }: NetworkFigures, step: number): boolean {
  if (step === 0 || (sentLoss ?? 0) > GOOD_LOSS || (rttMs ?? 0) > GOOD_RTT_MS) return false;
  // Without video the browser sends too little to estimate more: only a try can tell.
  if (step === LAST_STEP || availableBitrate === null) return true;
  return availableBitrate >= neededBitrate(step - 1) * HEADROOM;
}
