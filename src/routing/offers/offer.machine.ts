/** The statuses of an offer and its ends. Pure: no imports, no clock, no database. */

export const OFFER_STATUSES = ['pending', 'accepted', 'declined', 'expired', 'withdrawn'] as const;

export type OfferStatus = (typeof OFFER_STATUSES)[number];

export type FinalOfferStatus = Exclude<OfferStatus, 'pending'>;

export type OfferTrigger = 'accept' | 'decline' | 'expire' | 'withdraw';

/** One row of the table: every trigger ends a pending offer. */
interface EndRule {
  to: FinalOfferStatus;
  /** Whether it needs a time before `expires_at`, or one from then on. */
  expiry: 'before' | 'after' | 'any';
}

/**
 * All ends. At every moment an offer can either be answered by its agent or expire, never both: an answer that arrives
 * late does not count, even if the offer has not been marked as expired yet.
 */
export const OFFER_ENDS = {
  accept: { to: 'accepted', expiry: 'before' },
  decline: { to: 'declined', expiry: 'before' },
  expire: { to: 'expired', expiry: 'after' },
  withdraw: { to: 'withdrawn', expiry: 'any' },
} as const satisfies Record<OfferTrigger, EndRule>;

/** What a decision depends on. */
export interface OfferFacts {
  status: OfferStatus;
  expires_at: Date;
}

/**
 * Decides how a trigger ends an offer. The writer of `offers.status` (EndOffers) takes the new status from OFFER_ENDS and
 * repeats this condition in its UPDATE, so that the database decides between parallel triggers; a test compares the two.
 * @returns undefined if the trigger has no effect: the offer has ended, or `now` is on the wrong side of `expires_at`
 */
export function endOf(
  { status, expires_at }: OfferFacts,
  trigger: OfferTrigger,
  now: Date,
): FinalOfferStatus | undefined {
  const { to, expiry } = OFFER_ENDS[trigger];
  const isInTime = expiry === 'any' || (expiry === 'before') === expires_at > now;
  return status === 'pending' && isInTime ? to : undefined;
}
