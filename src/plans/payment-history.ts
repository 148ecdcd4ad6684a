import { addMonth } from './period';
import type { SubscriptionStatus } from './plan-catalogue';

/** Events of a charge that undo an earlier one of the same charge, or what undid it. */
export const CORRECTIONS = [
  'rescheduled',
  'deleted',
  'restored',
  'cash_undone',
  'charged_back',
  'chargeback_reversed',
] as const;
export type Correction = (typeof CORRECTIONS)[number];

/**
 * An event of a subscription: a charge was paid, is overdue, was refunded or corrected, or the operator activated the
 * plan (`granted`). `other` changes nothing.
 */
export type PaymentKind = 'paid' | 'overdue' | 'refunded' | 'granted' | 'other' | Correction;

export interface PaymentEvent {
  kind: PaymentKind;
  /** The charge; null when the event names none. */
  payment_id: string | null;
  occurred_at: Date;
}

export interface SubscriptionState {
  status: SubscriptionStatus;
  current_period_start: Date | null;
  current_period_end: Date | null;
  grace_deadline: Date | null;
}

export const GRACE_SECONDS = 7 * 86_400;

/** The state of a subscription after some of its events, and the charges it is based on. */
interface Progress {
  state: SubscriptionState;
  /** Charges that have been paid. */
  paid: ReadonlySet<string>;
  /** The charge that pays for the plan: undefined if there is none yet, null if it is not known which. */
  current?: string | null;
}

/**
 * Derives the state of a subscription from all of its events, so that the order in which they were received
 * does not matter. Events are applied by `occurred_at`, those of the same moment in the given order. All
 * resulting times are computed from `occurred_at`.
 */
export function deriveSubscription(
  events: readonly PaymentEvent[],
  initial: SubscriptionState,
): SubscriptionState {
  const sorted = events.toSorted((one, next) => one.occurred_at.getTime() - next.occurred_at.getTime());
  let progress: Progress = { state: initial, paid: new Set() };
  for (const event of eventsInEffect(sorted)) progress = RULES[event.kind](progress, event);
  return progress.state;
}

const applyNothing = (progress: Progress): Progress => progress;

const RULES: Record<PaymentKind, (progress: Progress, event: PaymentEvent) => Progress> = {
  paid: applyPaid,
  overdue: applyOverdue,
  refunded: applyRefunded,
  charged_back: applyRefunded,
  granted: applyGranted,
  chargeback_reversed: applyNothing,
  rescheduled: applyNothing,
  deleted: applyNothing,
  restored: applyNothing,
  cash_undone: applyNothing,
  other: applyNothing,
};

/** The events of one charge that no later one has undone. */
interface Charge {
  overdue: PaymentEvent[];
  paid: PaymentEvent[];
  chargedBack: PaymentEvent[];
  isDeleted: boolean;
}

/**
 * Replays the history of each charge and leaves out what its later events undid, as if it had never happened: a charge
 * that was deleted while it was overdue leaves the subscription as it was before, and one that is restored is overdue
 * from the same day as before.
 */
function eventsInEffect(sorted: readonly PaymentEvent[]): PaymentEvent[] {
  const charges = new Map<string, Charge>();
  for (const event of sorted) {
    if (event.payment_id === null) continue;
    const charge = charges.get(event.payment_id) ?? {
      overdue: [],
      paid: [],
      chargedBack: [],
      isDeleted: false,
    };
    charges.set(event.payment_id, charge);
    applyToCharge(charge, event);
  }
  return sorted.filter((event) => {
    const charge = charges.get(event.payment_id ?? '');
    if (!charge) return true;
    if (event.kind === 'overdue') return !charge.isDeleted && charge.overdue.includes(event);
    if (event.kind === 'paid') return charge.paid.includes(event);
    if (event.kind === 'charged_back') return charge.chargedBack.includes(event);
    return true;
  });
}

function applyToCharge(charge: Charge, event: PaymentEvent): void {
  switch (event.kind) {
    case 'overdue':
      // The gateway does not report its deletion and restoration where the operator has not chosen these events.
      charge.overdue = charge.isDeleted ? [event] : [...charge.overdue, event];
      charge.isDeleted = false;
      break;
    case 'paid':
      // A charge is reported as paid again when the company wins the dispute.
      charge.chargedBack = [];
      charge.paid.push(event);
      break;
    case 'charged_back':
      charge.chargedBack.push(event);
      break;
    case 'chargeback_reversed':
      charge.chargedBack = [];
      break;
    case 'rescheduled':
      charge.overdue = [];
      break;
    case 'cash_undone':
      charge.paid = [];
      break;
    case 'deleted':
    case 'restored':
      charge.isDeleted = event.kind === 'deleted';
      break;
  }
}

/**
 * A charge is paid once. A confirmed payment is reported again weeks later when the money is received, and
 * by then another charge may be overdue.
 */
function applyPaid(progress: Progress, { payment_id, occurred_at }: PaymentEvent): Progress {
  if (payment_id !== null && progress.paid.has(payment_id)) return progress;
  return {
    state: {
      status: 'active',
      current_period_start: occurred_at,
      current_period_end: addMonth(occurred_at),
      grace_deadline: null,
    },
    paid: payment_id === null ? progress.paid : new Set(progress.paid).add(payment_id),
    current: payment_id,
  };
}

/**
 * An active plan gets a grace period that starts with the first overdue charge; a plan that was not active
 * gets none. A charge that has been paid cannot become overdue.
 */
function applyOverdue(progress: Progress, { payment_id, occurred_at }: PaymentEvent): Progress {
  if (payment_id !== null && progress.paid.has(payment_id)) return progress;
  const { state } = progress;
  const graceEnd = new Date(occurred_at.getTime() + GRACE_SECONDS * 1000);
  const grace_deadline = state.status === 'active' ? graceEnd : state.grace_deadline;
  return { ...progress, state: { ...state, status: 'past_due', grace_deadline } };
}

/**
 * A chargeback counts as a refund until the company wins the dispute. Only the refund of the charge that pays for the plan
 * cancels it; refunds of older charges change nothing.
 */
function applyRefunded(progress: Progress, { payment_id }: PaymentEvent): Progress {
  const isCurrent = payment_id !== null && progress.current === payment_id;
  if (progress.current !== undefined && !isCurrent) return progress;
  return { ...progress, state: { ...progress.state, status: 'cancelled', grace_deadline: null } };
}

/** The operator activates the plan without a charge or a period, until the next payment. */
function applyGranted(progress: Progress): Progress {
  const state = {
    status: 'active',
    current_period_start: null,
    current_period_end: null,
    grace_deadline: null,
  } as const;
  return { ...progress, state, current: null };
}
