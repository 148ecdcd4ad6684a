import { addMonth } from './period';
import type { SubscriptionStatus } from './plan-catalogue';

/**
 * What happened to a subscription: a charge was paid, is overdue or was refunded, or the operator put the
 * plan in force (`granted`). `other` changes nothing.
 */
export type PaymentKind = 'paid' | 'overdue' | 'refunded' | 'granted' | 'other';

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

/** Where a subscription stands, and what that rests on. */
interface Standing {
  state: SubscriptionState;
  /** When each charge was paid first. */
  paid: Map<string, Date>;
  /** The charge that the plan rests on: none so far (undefined), or something that is no known charge (null). */
  current?: string | null;
}

/**
 * Works out where a subscription stands from everything that happened to it, so that the order in which
 * the news arrived does not matter: events count in the order in which they occurred, those of one moment
 * in the order given. Times are computed from the events' own.
 */
export function deriveSubscription(
  events: readonly PaymentEvent[],
  initial: SubscriptionState,
): SubscriptionState {
  const inOrder = events.toSorted((one, next) => one.occurred_at.getTime() - next.occurred_at.getTime());
  let standing: Standing = { state: initial, paid: new Map() };
  for (const event of inOrder) standing = RULES[event.kind](standing, event);
  return standing.state;
}

const RULES: Record<PaymentKind, (standing: Standing, event: PaymentEvent) => Standing> = {
  paid,
  overdue,
  refunded,
  granted,
  other,
};

/**
 * That a charge was paid is news once: money that was confirmed arrives weeks later (`received`), when
 * another charge may be overdue already.
 */
function paid(standing: Standing, { payment_id, occurred_at }: PaymentEvent): Standing {
  if (payment_id !== null && standing.paid.has(payment_id)) return standing;
  return {
    state: {
      status: 'active',
      current_period_start: occurred_at,
      current_period_end: addMonth(occurred_at),
      grace_deadline: null,
    },
    paid: payment_id === null ? standing.paid : new Map(standing.paid).set(payment_id, occurred_at),
    current: payment_id,
  };
}

/**
 * A plan that is in force stays so for a while, counted from the first charge that is overdue; one that was
 * not comes into force by no delay. A charge that was paid is never overdue again.
 */
function overdue(standing: Standing, { payment_id, occurred_at }: PaymentEvent): Standing {
  if (payment_id !== null && standing.paid.has(payment_id)) return standing;
  const { state } = standing;
  const grace = new Date(occurred_at.getTime() + GRACE_SECONDS * 1000);
  const grace_deadline = state.status === 'active' ? grace : state.grace_deadline;
  return { ...standing, state: { ...state, status: 'past_due', grace_deadline } };
}

/** Money back for an older charge than the one that the plan rests on changes nothing. */
function refunded(standing: Standing, { payment_id }: PaymentEvent): Standing {
  const isPresent = payment_id !== null && standing.current === payment_id;
  if (standing.current !== undefined && !isPresent) return standing;
  return { ...standing, state: { ...standing.state, status: 'canceled', grace_deadline: null } };
}

/** The operator vouches for the plan: no charge, no period, until the next payment. */
function granted(standing: Standing): Standing {
  const state = {
    status: 'active',
    current_period_start: null,
    current_period_end: null,
    grace_deadline: null,
  } as const;
  return { ...standing, state, current: null };
}

function other(standing: Standing): Standing {
  return standing;
}
