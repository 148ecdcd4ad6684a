import { isNearFront, isServedSoon } from './callback-due.rules';

describe('a callback is due', () => {
  it.each([
    ['the first call, without an available agent', 1, 3600, 0, true],
    ['the second call, without an available agent', 2, 180, 0, false],
    ['the second call, with an available agent', 2, 180, 1, true],
    ['the call after as many as there are available agents', 4, 900, 3, true],
    ['the call after that', 5, 900, 3, false],
    ['an estimate below two minutes', 9, 119, 0, true],
    ['an estimate of two minutes', 9, 120, 0, false],
  ])('%s', (_, position, estimated_wait_time, available_agents, expected) => {
    const place = { position, estimated_wait_time };
    expect(isNearFront(place, { available_agents }) || isServedSoon(place)).toBe(expected);
  });
});
