import { rateLimitField, tightestCounter, rateLimitPolicyField } from './rate-limit.headers';

const count = (name: string, remaining: number, reset: number) => ({ name, limit: 30, remaining, reset });

describe('the headers of the draft', () => {
  it('contain each counter with its quota and window', () => {
    const counters = [
      { name: 'auth', limit: 5, ttl: 60_000 },
      { name: 'auth_address', limit: 30, ttl: 60_000 },
    ];
    expect(rateLimitPolicyField(counters)).toBe('"auth";q=5;w=60, "auth_address";q=30;w=60');
  });

  it('contain each counter with its remaining requests and seconds', () => {
    expect(rateLimitField([count('auth', 3, 42), count('auth_address', 0, 7)])).toBe(
      '"auth";r=3;t=42, "auth_address";r=0;t=7',
    );
  });
});

describe('tightestCounter', () => {
  it.each([
    ['is the only counter', [count('a', 3, 10)], 'a'],
    ['has the fewest left', [count('a', 3, 10), count('b', 2, 5)], 'b'],
    ['has the fewest left, in any order', [count('a', 2, 5), count('b', 3, 10)], 'a'],
    ['has the later reset among equals', [count('a', 0, 5), count('b', 0, 40)], 'b'],
    ['has the later reset among equals, in any order', [count('a', 0, 40), count('b', 0, 5)], 'a'],
  ])('%s', (_, counts, name) => {
    expect(tightestCounter(counts as Parameters<typeof tightestCounter>[0]).name).toBe(name);
  });
});
