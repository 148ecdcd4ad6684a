import { isNearFront, isServedSoon } from './callback-due.rules';

describe('a callback is due', () => {
  it.each([
    ['the first call, without any agent', 1, 3600, 0, 0, true],
    ['the second call, without an available agent', 2, 180, 0, 3, false],
    ['the second call, with an available agent', 2, 180, 1, 3, true],
    ['the call after as many as there are available agents', 4, 900, 3, 3, true],
    ['the call after that', 5, 900, 3, 3, false],
    ['an estimate below two minutes', 9, 119, 0, 30, true],
    ['an estimate of two minutes', 9, 120, 0, 30, false],
    ['a short estimate, but nobody is reachable', 9, 60, 0, 0, false],
  ])('%s', (_, position, estimated_wait_time, available_agents, reachable_agents, expected) => {
    const agents = { available_agents, reachable_agents };
    const place = { position, estimated_wait_time };
    expect(isNearFront(place, agents) || isServedSoon(place, agents)).toBe(expected);
  });
});
