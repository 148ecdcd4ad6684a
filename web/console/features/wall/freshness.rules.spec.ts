import { staleSince } from './freshness.rules';

const NEWS_AT = 1_000_000;

it.each<[string, boolean, number | null, number, number | null]>([
  ['never sent', false, null, 0, null],
  ['just sent', true, NEWS_AT, 0, null],
  ['has not sent for a while', true, NEWS_AT, 50_000, null],
  ['has not sent for too long', true, NEWS_AT, 50_001, NEWS_AT],
  ['sent before the connection was lost', false, NEWS_AT, 0, NEWS_AT],
])('news that the service %s', (_, isConnected, newsAt, age, expected) => {
  expect(staleSince({ isConnected, newsAt, now: NEWS_AT + age })).toBe(expected);
});
