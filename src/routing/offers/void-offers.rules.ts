import type { Transition } from '../../calls/machine/transition-effects';
import type { Trigger } from '../../calls/machine/call.machine';
import type { WithdrawalReason } from './end-offers';

/** The offers that transitions make void: those of the calls, and those of agents who got a call. */
export interface VoidOffers {
  call_ids: string[];
  taker_ids: string[];
  /** Why the offers of the calls are withdrawn. */
  reason: WithdrawalReason;
}

const REASONS: Record<Trigger, WithdrawalReason> = {
  assign: 'call_taken',
  start: 'call_taken',
  complete: 'call_ended',
  hang_up: 'call_ended',
  cancel: 'customer_left',
  department_deleted: 'department_changed',
  department_closed: 'call_ended',
  requeue: 'call_ended',
  ring_timeout: 'call_ended',
  wait_timeout: 'call_ended',
  absence_timeout: 'customer_left',
  callback_timeout: 'customer_left',
  grace_timeout: 'call_ended',
  transfer: 'reassigned',
  take_over: 'reassigned',
};

/** A waiting call is offered from the line, an active one is offered as a transfer; an assigned one is not. */
const canBeOffered = ({ status }: Transition['before']): boolean =>
  status === 'queued' || status === 'active';

const isWithAgent = ({ status }: Transition['after']): boolean =>
  status === 'assigned' || status === 'active';

/** @param transitions of one request, so that their trigger is the same */
export function voidOffersOf(transitions: readonly Transition[]): VoidOffers {
  const left = transitions.filter(
    ({ before, after }) =>
      canBeOffered(before) && (before.status !== after.status || before.user_id !== after.user_id),
  );
  const taken = transitions.filter(
    ({ before, after }) => isWithAgent(after) && before.user_id !== after.user_id && after.user_id !== null,
  );
  return {
    call_ids: left.map(({ before }) => before.id),
    taker_ids: taken.map(({ after }) => after.user_id ?? ''),
    reason: REASONS[transitions[0]?.trigger ?? 'complete'],
  };
}
