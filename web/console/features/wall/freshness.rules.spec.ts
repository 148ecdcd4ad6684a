import { staleSince } from './freshness.rules';

const NEWS_AT = 1_000_000;

it.each<[string, boolean, number | null, number, number | null]>([
  ['never told', false, null, 0, null],
  ['just told', true, NEWS_AT, 0, null],
  ['quiet for a while', true, NEWS_AT, 50_000, null],
  ['quiet for too long', true, NEWS_AT, 50_001, NEWS_AT],
  ['without a connection', false, NEWS_AT, 0, NEWS_AT],
])('news that the service %s', (_, isConnected, newsAt, age, expected) => {
  expect(staleSince({ isConnected, newsAt, now: NEWS_AT + age })).toBe(expected);
});
