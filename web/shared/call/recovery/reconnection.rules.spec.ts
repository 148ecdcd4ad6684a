import { hasRelay, nextAttempt } from './reconnection.rules';

describe('nextAttempt', () => {
  it.each([
    [0, 'restart', false, false],
    [1, 'restart', false, false],
    [2, 'restart', true, false],
    [3, 'create', true, false],
    [4, 'create', false, true],
    [5, 'create', true, true],
    [6, 'create', false, true],
    [7, 'create', true, true],
    [100, 'create', false, true],
  ])('after %p failures: %s, relay only %p, audio only %p', (failures, kind, relayOnly, audioOnly) => {
    expect(nextAttempt(failures, true)).toMatchObject({ kind, relayOnly, audioOnly });
  });

  it('never demands a relay that there is not', () => {
    for (let failures = 0; failures < 8; failures++)
      expect(nextAttempt(failures, false).relayOnly).toBe(false);
  });
});

describe('hasRelay', () => {
  it.each([
    [[], false],
    [[{ urls: 'stun:a' }], false],
    [[{ urls: ['stun:a', 'turn:a?transport=tcp'] }], true],
    [[{ urls: 'stun:a' }, { urls: 'turns:a' }], true],
  ])('%j: %p', (servers, has) => {
    expect(hasRelay(servers)).toBe(has);
  });
});
