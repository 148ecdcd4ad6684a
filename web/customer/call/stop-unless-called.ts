import { effect, type ReadonlySignal } from '@preact/signals';
import type { Claim } from '../service/tab-claim';
import type { State } from '../state/state.types';

interface Situation {
  state: ReadonlySignal<State>;
  claim: ReadonlySignal<Claim>;
}

const hasCall = ({ screen }: State): boolean => screen === 'called' || screen === 'in_call';

/**
 * After the check of the devices: a call in this tab goes on with them. They are stopped for a customer who leaves the line or
 * goes away until the callback, and in a tab beside the one that gets the call.
 */
export function stopUnlessCalled({ state, claim }: Situation, stop: () => void): void {
  let isDecided = false;
  effect(() => {
    // Reads no signal any more, so that the effect ends.
    if (isDecided) return;
    const isElsewhere = !hasCall(state.value) || claim.value === 'other';
    isDecided = isElsewhere || claim.value === 'mine';
    if (isElsewhere) stop();
  });
}
