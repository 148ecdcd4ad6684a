import type { Claim } from '../service/tab-claim';
import type { State } from '../state/state.types';

/** `called`: an agent has taken the call. `invited`: the place of the callback is kept for a while. */
export type RingReason = 'called' | 'invited';

interface Attendance {
  claim: Claim;
  /** Whether the customer has seen the page since the agent took the call. */
  hasLooked: boolean;
}

/** @returns why the page rings; null if it does not */
export function ringReason(state: State, { claim, hasLooked }: Attendance): RingReason | null {
  if (claim !== 'mine') return null;
  switch (state.screen) {
    case 'callback':
      return isInvited(state) ? 'invited' : null;
    case 'called':
      return 'called';
    // An agent who answers at once is in the call before the customer has come back to the tab.
    case 'in_call':
      return hasLooked ? null : 'called';
    default:
      return null;
  }
}

/** Whether one of the tabs of this browser has to ring: the one that holds the claim. */
export const needsClaim = (state: State): boolean =>
  state.screen === 'called' || state.screen === 'in_call' || isInvited(state);

const isInvited = (state: State) => state.screen === 'callback' && state.call.callback?.status === 'invited';
