import type { AttemptResult } from './attempt-result';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Seconds from a failed try to the next one; after the last of them a delivery has failed. */
export const RETRY_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000] as const;

/** How much later than that a try may be: receivers that come back are not met by everybody at once. */
const JITTER = 0.1;

/** However long a receiver wants to be left alone. */
const LONGEST_RETRY_AFTER_SECONDS = 86_400;

/** A webhook that has failed for so long, without one success, is switched off … */
export const FAILING_SECONDS = 3 * 86_400;

/** … once a delivery has been tried in vain for more than half an hour: where little happens, one bad moment is none. */
export const MIN_FAILURES = 3;

/** Why a webhook is no longer told anything. */
export type DisableReason = 'failing' | 'gone';

/** What a try means for its delivery. */
export type RetryDecision =
  { status: 'delivered' } | { status: 'failed' } | { status: 'pending'; next_attempt_at: Date };

/** Standard Webhooks: 2xx has been taken, 410 wants no more, all else is to be tried again. */
export const isSuccess = ({ response_status }: AttemptResult): boolean =>
  response_status !== null && response_status >= 200 && response_status < 300;

export const isGone = ({ response_status }: AttemptResult): boolean => response_status === 410;

/**
 * @param failures tries that have failed before this one, since the delivery was last queued
 * @param random from 0 to 1
 */
export function decideRetry(
  outcome: AttemptResult,
  failures: number,
  now: Date,
  random: number,
): RetryDecision {
  if (isSuccess(outcome)) return { status: 'delivered' };
  const delay = RETRY_SECONDS[failures];
  if (isGone(outcome) || delay === undefined) return { status: 'failed' };
  const wanted = Math.min(retryAfterSeconds(outcome.retry_after, now) ?? 0, LONGEST_RETRY_AFTER_SECONDS);
  const seconds = Math.max(delay * (1 + JITTER * random), wanted);
  return { status: 'pending', next_attempt_at: new Date(now.getTime() + seconds * 1000) };
}

/** RFC 9110, 10.2.3: seconds, or a date. @returns undefined for anything else */
export function retryAfterSeconds(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const date = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now.getTime()) / 1000));
}

/**
 * Whether a try that failed just now is one too many for its webhook.
 * @param failures as for verdictOn
 */
export function disableReason(
  outcome: AttemptResult,
  failures: number,
  failingSince: Date | null,
  now: Date,
): DisableReason | undefined {
  if (isSuccess(outcome)) return undefined;
  if (isGone(outcome)) return 'gone';
  if (failures < MIN_FAILURES || failingSince === null) return undefined;
  return now.getTime() - failingSince.getTime() >= FAILING_SECONDS * 1000 ? 'failing' : undefined;
}
