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
  switch (state.screen) {
    case 'callback':
      return state.call.callback?.status === 'invited' ? 'invited' : null;
    // Another tab of this browser that holds the call rings, too.
    case 'called':
      return claim === 'other' ? null : 'called';
    // An agent who answers at once is in the call before the customer has come back to the tab.
    case 'in_call':
      return claim === 'other' || hasLooked ? null : 'called';
    default:
      return null;
  }
}
