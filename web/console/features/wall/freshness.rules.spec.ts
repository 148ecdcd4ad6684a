import { staleSince } from './freshness.rules';

const NEWS_AT = 1_000_000;

it.each<[string, boolean, number | null, number | null, number, number | null]>([
  ['never sent', false, null, null, 0, null],
  ['just sent', true, NEWS_AT, null, 0, null],
  ['did not send while another page was shown', true, NEWS_AT, null, 61_000, null],
  ['is asked for after a minute on another page', true, NEWS_AT, 61_000, 61_500, null],
  ['has not answered for a while', true, NEWS_AT, 20_000, 50_000, null],
  ['has not answered for too long', true, NEWS_AT, 20_000, 50_001, NEWS_AT],
  ['sent after an old question', true, NEWS_AT, -1, 61_000, null],
  ['sent before the connection was lost', false, NEWS_AT, null, 0, NEWS_AT],
])('news that the service %s', (_, isConnected, newsAt, asked, age, expected) => {
  const askedAt = asked === null ? null : NEWS_AT + asked;
  expect(staleSince({ isConnected, newsAt, askedAt, now: NEWS_AT + age })).toBe(expected);
});
