import type { Call } from '../call.entity';
import type { CallChanges } from '../machine/call-writer';
import { isAwaited } from './callback.machine';

type WaitingCall = Pick<Call, 'callback_status' | 'wait_deadline' | 'suspended_wait_deadline'>;

/** The absence of the customer of a call, as Absence computes it. */
type AbsenceColumns = Pick<Call, 'absent_since' | 'absence_deadline'>;

/** From an invitation that has expired to the next one, and at least between two invitations of a call. */
export const RETRY_SECONDS = 900;

const NOT_INVITED = { callback_invited_until: null } as const;

/** The customer is away and keeps their place: neither the wait nor the absence ends the call. */
export const requested = ({ wait_deadline }: WaitingCall): CallChanges => ({
  ...NOT_INVITED,
  callback_status: 'requested',
  suspended_wait_deadline: wait_deadline,
  wait_deadline: null,
  absence_deadline: null,
});

/** @param window seconds that the customer has to return */
export const invited = (window: number, now: Date): CallChanges & { callback_invited_until: Date } => ({
  callback_status: 'invited',
  callback_invited_until: new Date(now.getTime() + window * 1000),
});

/** The customer did not return in time and will be invited again. */
export const invitationExpired: CallChanges = { ...NOT_INVITED, callback_status: 'requested' };

/**
 * The customer waits on without the callback, for as long as they could have when they requested it. The clocks of
 * instances may differ slightly, so the deadline is never moved back.
 */
export function withdrawn(
  { suspended_wait_deadline }: WaitingCall,
  requestedAt: Date,
  absence: AbsenceColumns,
  now: Date,
): CallChanges {
  const away = Math.max(0, now.getTime() - requestedAt.getTime());
  return {
    ...NOT_INVITED,
    callback_status: 'cancelled',
    wait_deadline: suspended_wait_deadline && new Date(suspended_wait_deadline.getTime() + away),
    suspended_wait_deadline: null,
    ...absence,
  };
}

/**
 * The customer is back at their place. For an appointment whose time has not come, the maximum wait counts from its start, as
 * after the join.
 * @param maxWaitTime seconds, of the department
 */
export const returned = (
  { priority_deadline }: Pick<Call, 'priority_deadline'>,
  absence: AbsenceColumns,
  maxWaitTime: number,
  now: Date,
): CallChanges => ({
  ...NOT_INVITED,
  callback_status: 'returned',
  wait_deadline: new Date(Math.max(now.getTime(), Number(priority_deadline)) + maxWaitTime * 1000),
  suspended_wait_deadline: null,
  ...absence,
});

/** The end of the call ends its callback. @param isTimeout whether the last invitation expired */
export const endedWithCall = ({ callback_status }: Pick<Call, 'callback_status'>, isTimeout: boolean) =>
  ({
    ...NOT_INVITED,
    callback_status: isAwaited(callback_status) ? (isTimeout ? 'expired' : 'cancelled') : callback_status,
  }) satisfies CallChanges;
