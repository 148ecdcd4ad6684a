import { signal } from '@preact/signals';
import type { Claim } from '../service/tab-claim';
import { called, inCall, waiting } from '../state/state.fixtures';
import type { State } from '../state/state.types';
import { stopUnlessCalled } from './stop-unless-called';

const LEFT: State = { screen: 'over', why: 'left' };

describe('the devices of the check', () => {
  it.each<[name: string, before: [State, Claim], after: [State, Claim] | null, stops: number]>([
    ['are stopped at once without a call', [waiting(), 'none'], null, 1],
    ['are stopped when the line was left', [LEFT, 'none'], null, 1],
    ['are kept by the tab with the call', [called(), 'mine'], [waiting(), 'none'], 0],
    ['are kept until the tabs have agreed', [called(), 'asking'], null, 0],
    ['are kept when they agree on this one', [called(), 'none'], [inCall(), 'mine'], 0],
    ['are stopped when they agree on another one', [called(), 'none'], [called(), 'other'], 1],
    ['are stopped when the agent is gone before', [called(), 'asking'], [waiting(), 'none'], 1],
  ])('%s', (_name, before, after, stops) => {
    const [state, claim] = [signal(before[0]), signal(before[1])];
    const stop = jest.fn();
    stopUnlessCalled({ state, claim }, stop);
    if (after) [state.value, claim.value] = after;
    expect(stop).toHaveBeenCalledTimes(stops);
  });
});
