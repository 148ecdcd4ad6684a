import fc from 'fast-check';
import {
  CORRECTIONS,
  type PaymentEvent,
  type PaymentKind,
  deriveSubscription,
  type SubscriptionState,
} from './payment-history';

const PENDING: SubscriptionState = {
  status: 'pending',
  current_period_start: null,
  current_period_end: null,
  grace_deadline: null,
};

const on = (day: string) => new Date(`2026-${day}T12:00:00.000Z`);
const event = (kind: PaymentKind, payment_id: string | null, day: string): PaymentEvent => ({
  kind,
  payment_id,
  occurred_at: on(day),
});

const day = (date: Date | null) => date && date.toISOString().slice(5, 10);

/** Status, first day of the period, end of the grace. */
function after(...events: PaymentEvent[]): [string, string | null, string | null] {
  const { status, current_period_start, grace_deadline } = deriveSubscription(events, PENDING);
  return [status, day(current_period_start), day(grace_deadline)];
}

const toEvents = (history: [number, PaymentKind, string | null][]): PaymentEvent[] =>
  history.map(([hour, kind, payment_id]) => ({
    kind,
    payment_id,
    occurred_at: new Date(Date.UTC(2026, 0, 1, hour)),
  }));

describe('a subscription', () => {
  it.each<[string, PaymentEvent[], ReturnType<typeof after>]>([
    ['without events is pending', [], ['pending', null, null]],
    ['is active once paid', [event('paid', 'A', '01-10')], ['active', '01-10', null]],
    [
      'starts one period for a charge that is confirmed and then received',
      [event('paid', 'A', '01-10'), event('paid', 'A', '02-11')],
      ['active', '01-10', null],
    ],
    [
      'starts the next with the next charge',
      [event('paid', 'A', '01-10'), event('paid', 'B', '02-09')],
      ['active', '02-09', null],
    ],
    [
      'has 7 days of grace',
      [event('paid', 'A', '01-10'), event('overdue', 'B', '02-11')],
      ['past_due', '01-10', '02-18'],
    ],
    ['that was never paid has no grace', [event('overdue', 'A', '01-10')], ['past_due', null, null]],
    [
      'that was cancelled has no grace',
      [event('paid', 'A', '01-10'), event('refunded', 'A', '01-12'), event('overdue', 'B', '02-11')],
      ['past_due', '01-10', null],
    ],
    [
      'keeps its first grace period when more charges become overdue',
      [event('paid', 'A', '01-10'), event('overdue', 'B', '02-11'), event('overdue', 'C', '03-11')],
      ['past_due', '01-10', '02-18'],
    ],
    [
      'is active again once the overdue charge is paid',
      [event('paid', 'A', '01-10'), event('overdue', 'B', '02-11'), event('paid', 'B', '02-13')],
      ['active', '02-13', null],
    ],
    [
      'is never past due for a charge that was paid',
      [event('paid', 'A', '01-10'), event('overdue', 'A', '01-12')],
      ['active', '01-10', null],
    ],
    [
      'is cancelled by a refund',
      [event('paid', 'A', '01-10'), event('refunded', 'A', '01-12')],
      ['cancelled', '01-10', null],
    ],
    [
      'is not touched by the refund of an older charge',
      [event('paid', 'A', '01-10'), event('paid', 'B', '02-09'), event('refunded', 'A', '02-12')],
      ['active', '02-09', null],
    ],
    [
      'is cancelled by the refund of the newest charge',
      [event('paid', 'A', '01-10'), event('paid', 'B', '02-09'), event('refunded', 'B', '02-12')],
      ['cancelled', '02-09', null],
    ],
    [
      'stays past due when the money for an older charge arrives',
      [event('paid', 'A', '01-10'), event('overdue', 'B', '02-10'), event('paid', 'A', '02-11')],
      ['past_due', '01-10', '02-17'],
    ],
    [
      'stays cancelled when the money for an older charge arrives',
      [
        event('paid', 'A', '01-10'),
        event('paid', 'B', '02-10'),
        event('refunded', 'B', '02-11'),
        event('paid', 'A', '02-12'),
      ],
      ['cancelled', '02-10', null],
    ],
    [
      'pays a quarter by card: each charge confirmed on its day and received 32 days later',
      [
        event('paid', 'A', '01-10'),
        event('paid', 'B', '02-10'),
        event('paid', 'A', '02-11'),
        event('paid', 'C', '03-10'),
        event('paid', 'B', '03-14'),
        event('paid', 'C', '04-11'),
      ],
      ['active', '03-10', null],
    ],
    [
      'starts again after a refund',
      [event('paid', 'A', '01-10'), event('refunded', 'A', '01-12'), event('paid', 'B', '01-20')],
      ['active', '01-20', null],
    ],
    ['is active when the operator grants it', [event('granted', null, '01-10')], ['active', null, null]],
    [
      'keeps what the operator granted when an older charge is refunded',
      [event('paid', 'A', '01-10'), event('granted', null, '01-11'), event('refunded', 'A', '01-12')],
      ['active', null, null],
    ],
    [
      'keeps what the operator granted when an unknown charge is refunded',
      [event('granted', null, '01-11'), event('refunded', null, '01-12')],
      ['active', null, null],
    ],
    [
      'is not changed by other events',
      [event('paid', 'A', '01-10'), event('other', 'A', '01-12'), event('other', null, '01-13')],
      ['active', '01-10', null],
    ],
    [
      'is active again once the overdue charge is deleted',
      [event('paid', 'A', '01-10'), event('overdue', 'B', '02-11'), event('deleted', 'B', '02-20')],
      ['active', '01-10', null],
    ],
    [
      'is past due since the first day again once that charge is restored',
      [
        event('paid', 'A', '01-10'),
        event('overdue', 'B', '02-11'),
        event('deleted', 'B', '02-13'),
        event('restored', 'B', '02-14'),
      ],
      ['past_due', '01-10', '02-18'],
    ],
    [
      'is past due for a charge that becomes overdue after a restoration that was not reported',
      [
        event('paid', 'A', '01-10'),
        event('overdue', 'B', '02-11'),
        event('deleted', 'B', '02-13'),
        event('overdue', 'B', '03-11'),
      ],
      ['past_due', '01-10', '03-18'],
    ],
    [
      'is past due for the second charge once the first overdue one is deleted',
      [
        event('paid', 'A', '01-10'),
        event('overdue', 'B', '02-11'),
        event('overdue', 'C', '03-11'),
        event('deleted', 'B', '03-12'),
      ],
      ['past_due', '01-10', '03-18'],
    ],
    [
      'is active again once the overdue charge is due later',
      [event('paid', 'A', '01-10'), event('overdue', 'B', '02-11'), event('rescheduled', 'B', '02-13')],
      ['active', '01-10', null],
    ],
    [
      'is past due from the later day if the charge is not paid by then',
      [
        event('paid', 'A', '01-10'),
        event('overdue', 'B', '02-11'),
        event('rescheduled', 'B', '02-13'),
        event('overdue', 'B', '02-21'),
      ],
      ['past_due', '01-10', '02-28'],
    ],
    [
      'that was never paid is pending again once its overdue charge is deleted',
      [event('overdue', 'A', '01-10'), event('deleted', 'A', '01-12')],
      ['pending', null, null],
    ],
    [
      'keeps what was paid for a charge that is deleted later',
      [event('paid', 'A', '01-10'), event('deleted', 'A', '01-12')],
      ['active', '01-10', null],
    ],
    [
      'gives the month back when cash is undone',
      [event('paid', 'A', '01-10'), event('paid', 'B', '02-10'), event('cash_undone', 'B', '02-12')],
      ['active', '01-10', null],
    ],
    [
      'is pending again when its only payment is undone',
      [event('paid', 'A', '01-10'), event('cash_undone', 'A', '01-12')],
      ['pending', null, null],
    ],
    [
      'is past due again when the cash for an overdue charge is undone',
      [
        event('paid', 'A', '01-10'),
        event('overdue', 'B', '02-11'),
        event('paid', 'B', '02-13'),
        event('cash_undone', 'B', '02-15'),
      ],
      ['past_due', '01-10', '02-18'],
    ],
    [
      'starts a period with the payment that follows undone cash',
      [event('paid', 'A', '01-10'), event('cash_undone', 'A', '01-12'), event('paid', 'A', '01-20')],
      ['active', '01-20', null],
    ],
    [
      'can be past due for a charge whose cash was undone',
      [event('paid', 'A', '01-10'), event('cash_undone', 'A', '01-12'), event('overdue', 'A', '01-20')],
      ['past_due', null, null],
    ],
    [
      'is cancelled by a chargeback',
      [event('paid', 'A', '01-10'), event('charged_back', 'A', '01-12'), event('charged_back', 'A', '01-14')],
      ['cancelled', '01-10', null],
    ],
    [
      'is not touched by the chargeback of an older charge',
      [event('paid', 'A', '01-10'), event('paid', 'B', '02-09'), event('charged_back', 'A', '02-12')],
      ['active', '02-09', null],
    ],
    [
      'has its period again once the dispute is won',
      [
        event('paid', 'A', '01-10'),
        event('charged_back', 'A', '01-12'),
        event('chargeback_reversed', 'A', '02-01'),
        event('paid', 'A', '02-20'),
      ],
      ['active', '01-10', null],
    ],
    [
      'has its period again once the money of a disputed charge is confirmed',
      [event('paid', 'A', '01-10'), event('charged_back', 'A', '01-12'), event('paid', 'A', '02-20')],
      ['active', '01-10', null],
    ],
    [
      'stays cancelled once the dispute is lost',
      [event('paid', 'A', '01-10'), event('charged_back', 'A', '01-12'), event('refunded', 'A', '02-01')],
      ['cancelled', '01-10', null],
    ],
    [
      'ignores corrections that name no charge, or one without events',
      [
        event('paid', 'A', '01-10'),
        event('overdue', null, '02-11'),
        event('deleted', null, '02-12'),
        event('cash_undone', 'B', '02-13'),
      ],
      ['past_due', '01-10', '02-18'],
    ],
    [
      'counts payments that name no charge one by one',
      [event('paid', null, '01-10'), event('paid', null, '02-10')],
      ['active', '02-10', null],
    ],
  ])('%s', (_what, events, expected) => {
    expect(after(...events)).toEqual(expected);
  });

  it('has a period of a month, to the last day of a shorter one', () => {
    const { current_period_end } = deriveSubscription([event('paid', 'A', '01-31')], PENDING);
    expect(current_period_end).toEqual(on('02-28'));
  });

  it('applies events of one moment in the order in which they were received', () => {
    const [confirmed, overdue] = [event('paid', 'A', '01-10'), event('overdue', 'B', '01-10')];
    expect(after(confirmed, overdue)[0]).toBe('past_due');
    expect(after(overdue, confirmed)[0]).toBe('active');
  });

  it('does not depend on the order in which events are received', () => {
    const kinds = fc.constantFrom<PaymentKind>(
      'paid',
      'overdue',
      'refunded',
      'granted',
      'other',
      ...CORRECTIONS,
    );
    const charges = fc.option(fc.constantFrom('A', 'B', 'C'));
    // Each at a moment of its own.
    const histories = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 1000 }), kinds, charges), {
      selector: ([hour]) => hour,
      maxLength: 12,
    });
    const shuffled = histories.chain((history) =>
      fc.tuple(fc.constant(history), fc.shuffledSubarray(history, { minLength: history.length })),
    );
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        expect(deriveSubscription(toEvents(other), PENDING)).toEqual(
          deriveSubscription(toEvents(one), PENDING),
        );
      }),
    );
  });
});
