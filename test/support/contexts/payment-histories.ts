import { type PaymentEvent, type PaymentKind, deriveSubscription } from '../../../src/plans/payment-history';
import type { Json } from '../http/api';
import { chargeId, notification } from '../peers/payment-gateway';

/** A notification of a payment history. */
export interface HistoryEntry {
  event: string;
  charge: 'A' | 'B';
  at: Date;
}

/** A time on a day of 2026. @param day as MM-DD */
export const timeOn = (day: string) => new Date(`2026-${day}T15:30:00Z`);
const entry = (event: string, charge: 'A' | 'B', day: string): HistoryEntry => ({
  event: `PAYMENT_${event}`,
  charge,
  at: timeOn(day),
});

export const CHARGE_A = [
  entry('CONFIRMED', 'A', '01-31'),
  entry('RECEIVED', 'A', '02-02'),
  entry('OVERDUE', 'A', '02-03'),
  entry('REFUNDED', 'A', '02-10'),
];
export const NEXT_MONTH = [...CHARGE_A, entry('CONFIRMED', 'B', '03-01')];
export const PAID_LATE = [...CHARGE_A, entry('OVERDUE', 'B', '03-01'), entry('RECEIVED', 'B', '03-12')];
/** The older charge is refunded after the newer one was paid, which is overdue later. */
export const MIXED = [
  entry('OVERDUE', 'A', '01-20'),
  entry('CONFIRMED', 'A', '01-31'),
  entry('CONFIRMED', 'B', '02-28'),
  entry('REFUNDED', 'A', '03-02'),
  entry('OVERDUE', 'B', '03-03'),
];

/** The newest charge is overdue, deleted and restored, paid in cash, which is undone, and gets a later due date. */
export const CORRECTED = [
  entry('CONFIRMED', 'A', '01-31'),
  entry('OVERDUE', 'B', '03-01'),
  entry('DELETED', 'B', '03-02'),
  entry('RESTORED', 'B', '03-03'),
  entry('RECEIVED', 'B', '03-04'),
  entry('RECEIVED_IN_CASH_UNDONE', 'B', '03-05'),
  entry('UPDATED', 'B', '03-06'),
];

const KINDS: Record<string, PaymentKind> = {
  PAYMENT_DELETED: 'deleted',
  PAYMENT_RESTORED: 'restored',
  PAYMENT_RECEIVED_IN_CASH_UNDONE: 'cash_undone',
  PAYMENT_UPDATED: 'rescheduled',
  PAYMENT_CONFIRMED: 'paid',
  PAYMENT_RECEIVED: 'paid',
  PAYMENT_OVERDUE: 'overdue',
  PAYMENT_REFUNDED: 'refunded',
};

export const PENDING = {
  status: 'pending',
  current_period_start: null,
  current_period_end: null,
  grace_deadline: null,
} as const;

/** The subscription that the rules derive from the history in the order of its times. */
export function expectedSubscription(history: HistoryEntry[]): Json {
  const events = history
    .toSorted((one, next) => one.at.getTime() - next.at.getTime())
    .map(({ event, charge, at }): PaymentEvent => {
      return { kind: KINDS[event] ?? 'other', payment_id: charge, occurred_at: at };
    });
  return deriveSubscription(events, PENDING);
}

/** Creates the notifications of one tenant, with new charges and ids. */
export function toNotifications(tenant: string, history: HistoryEntry[]): Json[] {
  const charges = { A: chargeId(), B: chargeId() };
  return history.map(({ event, charge, at }) => notification(tenant, event, { charge: charges[charge], at }));
}

const MAX_WORKERS = 8;

/** Runs `work` for all items, up to eight concurrently. */
export async function forEachConcurrently<T>(
  items: T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: MAX_WORKERS }, worker));
}
