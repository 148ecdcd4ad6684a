import fc from 'fast-check';
import { endOf, OFFER_ENDS, OFFER_STATUSES, type OfferStatus, type OfferTrigger } from './offer.machine';

const EXPIRES_AT = new Date('2026-01-31T12:00:20.000Z');
const at = (ms: number) => new Date(EXPIRES_AT.getTime() + ms);

const TRIGGERS = Object.keys(OFFER_ENDS) as OfferTrigger[];
const FINAL_STATUSES = OFFER_STATUSES.filter((status) => status !== 'pending');

const anyMs = fc.integer({ min: -200_000, max: 200_000 });

describe('an offer', () => {
  it.each<[OfferTrigger, string, number, OfferStatus | undefined]>([
    ['accept', 'a millisecond before it expires', -1, 'accepted'],
    ['accept', 'when it expires', 0, undefined],
    ['accept', 'a millisecond after it expired', 1, undefined],
    ['decline', 'a millisecond before it expires', -1, 'declined'],
    ['decline', 'when it expires', 0, undefined],
    ['expire', 'a millisecond before it expires', -1, undefined],
    ['expire', 'when it expires', 0, 'expired'],
    ['expire', 'long after it expired', 86_400_000, 'expired'],
    ['withdraw', 'before it expires', -1, 'withdrawn'],
    ['withdraw', 'when it expires', 0, 'withdrawn'],
    ['withdraw', 'after it expired', 1, 'withdrawn'],
  ])('that is pending ends by %s %s (%i ms): %s', (trigger, _when, ms, status) => {
    expect(endOf({ status: 'pending', expires_at: EXPIRES_AT }, trigger, at(ms))).toBe(status);
  });

  const ended = FINAL_STATUSES.flatMap((status) => TRIGGERS.map((trigger) => [status, trigger] as const));

  it.each(ended)('that is %s does not end again by %s', (status, trigger) => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        expect(endOf({ status, expires_at: EXPIRES_AT }, trigger, at(ms))).toBeUndefined();
      }),
    );
  });

  it('can either be answered or expire at every moment, and can always be withdrawn', () => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        const offer = { status: 'pending', expires_at: EXPIRES_AT } as const;
        const possible = TRIGGERS.filter((trigger) => endOf(offer, trigger, at(ms)) !== undefined);
        expect(possible).toEqual(ms < 0 ? ['accept', 'decline', 'withdraw'] : ['expire', 'withdraw']);
      }),
    );
  });

  it('has an end of its own for each trigger, and one for each status but pending', () => {
    expect(TRIGGERS.map((trigger) => OFFER_ENDS[trigger].to).toSorted()).toEqual(FINAL_STATUSES.toSorted());
  });
});
