import { likePattern } from './like-pattern';

it.each([
  ['ana', '%ana%'],
  ['100%', '%100\\%%'],
  ['a_b', '%a\\_b%'],
  ['c:\\dir', '%c:\\\\dir%'],
  ['', '%%'],
])('looks for %j with %j', (text, pattern) => {
  expect(likePattern(text)).toBe(pattern);
});
