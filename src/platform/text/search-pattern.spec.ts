import { searchPattern } from './search-pattern';

it.each([
  ['ana', '%ana%'],
  ['100%', '%100\\%%'],
  ['a_b', '%a\\_b%'],
  ['c:\\dir', '%c:\\\\dir%'],
  ['', undefined],
  [undefined, undefined],
])('the pattern for %j is %j', (text, pattern) => {
  expect(searchPattern(text)).toBe(pattern);
});
