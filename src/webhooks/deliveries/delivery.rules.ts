import type { AttemptResult } from './attempt-result';
import type { DisableReason } from '../webhook.events';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Seconds from each failed attempt to the next one. After the last retry the delivery has failed. */
export const RETRY_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000] as const;

/** The share of the delay that is added at random, so that a receiver that recovers is not flooded. */
const MAX_JITTER_SHARE = 0.1;

/** Longer Retry-After values are shortened to this. */
const MAX_RETRY_AFTER_SECONDS = 86_400;

/** A webhook is disabled when no delivery has succeeded for this time … */
export const DISABLE_AFTER_SECONDS = 3 * 86_400;

/** … and one delivery fails again after this many failures, which take over half an hour, so not in a short outage. */
export const DISABLE_MIN_FAILURES = 3;

/** What an attempt means for its delivery. */
export type RetryDecision =
  { status: 'delivered' } | { status: 'failed' } | { status: 'pending'; next_attempt_at: Date };

/** Standard Webhooks 1.0.0: 2xx is a success, 410 asks for no further deliveries, everything else is retried. */
export const isSuccess = ({ response_status }: AttemptResult): boolean =>
  response_status !== null && response_status >= 200 && response_status < 300;

export const isGone = ({ response_status }: AttemptResult): boolean => response_status === 410;

/**
 * Decides whether and when a delivery is attempted again.
 * @param failures attempts that have failed before this one, since the delivery was last queued
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
  const requested = Math.min(retryAfterSeconds(outcome.retry_after, now) ?? 0, MAX_RETRY_AFTER_SECONDS);
  const seconds = Math.max(delay * (1 + MAX_JITTER_SHARE * random), requested);
  return { status: 'pending', next_attempt_at: new Date(now.getTime() + seconds * 1000) };
}

/** Parses Retry-After (RFC 9110, 10.2.3): seconds or a date. @returns seconds; undefined for anything else */
export function retryAfterSeconds(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const date = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now.getTime()) / 1000));
}

/**
 * Decides whether the webhook is disabled after an attempt.
 * @param failures as for decideRetry
 * @returns the reason; undefined if the webhook stays active
 */
export function disableReason(
  outcome: AttemptResult,
  failures: number,
  failingSince: Date | null,
  now: Date,
): DisableReason | undefined {
  if (isSuccess(outcome)) return undefined;
  if (isGone(outcome)) return 'gone';
  if (failures < DISABLE_MIN_FAILURES || failingSince === null) return undefined;
  return now.getTime() - failingSince.getTime() >= DISABLE_AFTER_SECONDS * 1000 ? 'failing' : undefined;
}
