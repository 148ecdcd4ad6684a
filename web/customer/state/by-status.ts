import type { Callback, CallStatus } from './server.types';
import type { CallFacts, Moment, OverReason, PeerLoss, State, StateOf } from './state.types';

/** Reconnections and the service's own deadlines are not exact to the second. */
const TOLERANCE_MS = 5000;

/** The moment in the time of the service, to compare with its times. */
export const atService = (moment: Moment, { at }: { at: string }): Moment => ({
  ...moment,
  now: Date.parse(at),
});

interface StatusChange {
  status: CallStatus;
  call: CallFacts;
  end_reason?: string | null;
  peerLost?: PeerLoss | null;
}

/** The screen of a call with this status. @param before what the page has shown */
export function stateByStatus(before: State, change: StatusChange, moment: Moment): State {
  const { status, call, peerLost = null } = change;
  switch (status) {
    case 'queued':
      return isAway(call.callback) ? { screen: 'callback', call } : waiting(before, call);
    case 'assigned':
      return { screen: 'called', call };
    case 'active':
      return {
        screen: 'in_call',
        call,
        peerLost,
        isNewAgent: before.screen === 'in_call' && before.isNewAgent,
      };
    case 'completed':
      return completed(before, change);
    case 'missed':
      return { screen: 'over', why: 'missed' };
    case 'cancelled':
      return { screen: 'over', why: before.screen === 'over' ? before.why : 'cancelled' };
    default:
      return { screen: 'over', why: whyAbandoned(before, call, moment) };
  }
}

/** Whether the customer will be called back, and is not expected to be there before the invitation. */
export const isAway = (callback: Callback): boolean =>
  callback?.status === 'requested' || callback?.status === 'invited';

function waiting(before: State, call: CallFacts): StateOf<'waiting'> {
  if (before.screen === 'called') return { screen: 'waiting', call, since: 'unanswered' };
  if (before.screen === 'in_call') return { screen: 'waiting', call, since: 'transfer' };
  return { screen: 'waiting', call, since: before.screen === 'waiting' ? before.since : 'join' };
}

function completed(before: State, { call, end_reason }: StatusChange): State {
  if (before.screen === 'thanks') return before;
  if (before.screen === 'rating')
    return { ...before, wasLost: before.wasLost || end_reason === 'disconnect' };
  return { screen: 'rating', call, wasLost: end_reason === 'disconnect', problem: null };
}

function whyAbandoned(before: State, call: CallFacts, { now, offlineMs, absenceMs }: Moment): OverReason {
  if (before.screen === 'over') return before.why;
  if (call.callback?.status === 'expired') return 'callback_expired';
  if (call.closesAt !== null && now >= Date.parse(call.closesAt) - TOLERANCE_MS) return 'closed';
  if (offlineMs >= absenceMs - TOLERANCE_MS) return 'absent';
  return before.screen === 'resuming' ? 'unknown' : 'unanswered';
}
