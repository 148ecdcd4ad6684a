import { callState } from './call-state.rules';

describe('callState', () => {
  it.each([
    ['waiting', {}],
    ['connecting', { hasPeer: true }],
    ['connected', { hasPeer: true, isAlive: true, wasConnected: true }],
    ['audio_only', { hasPeer: true, isAlive: true, wasConnected: true, isAudioOnly: true }],
    ['reconnecting', { hasPeer: true, wasConnected: true }],
    ['reconnecting', { wasConnected: true, isAudioOnly: true }],
    ['closed', { isClosed: true, isAlive: true }],
  ])('%s: %j', (state, facts) => {
    const none = { isClosed: false, hasPeer: false, wasConnected: false, isAlive: false, isAudioOnly: false };
    expect(callState({ ...none, ...facts })).toBe(state);
  });
});
