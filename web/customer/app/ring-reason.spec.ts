import { call, called, inCall, waiting } from '../state/state.fixtures';
import type { State } from '../state/state.types';
import { ringReason } from './ring-reason';

const callback = (status: 'requested' | 'invited'): State => ({
  screen: 'callback',
  call: call({ callback: { status, invited_until: null } }),
});

describe('the page rings', () => {
  it.each([
    ['when an agent has taken the call', called(), 'mine', false, 'called'],
    ['not in a tab beside the one with the call', called(), 'other', false, null],
    ['during the call until the customer has looked', inCall(), 'mine', false, 'called'],
    ['no more when the customer has looked', inCall(), 'mine', true, null],
    ['not for the call of another tab', inCall(), 'other', false, null],
    ['not before the other tabs had time to say that they ring', called(), 'asking', false, null],
    ['for an invitation to return', callback('invited'), 'mine', false, 'invited'],
    ['not for an invitation for which another tab rings', callback('invited'), 'other', false, null],
    ['not before the invitation', callback('requested'), 'none', false, null],
    ['not in the line', waiting(), 'none', false, null],
  ] as const)('%s', (_, state, claim, hasLooked, expected) => {
    expect(ringReason(state, { claim, hasLooked })).toBe(expected);
  });
});
