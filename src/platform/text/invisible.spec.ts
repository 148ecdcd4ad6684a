import { isVisible, withoutInvisible } from './invisible';

it.each([
  ['ana\u200b@exam\u00adple.com\ufeff', 'ana@example.com'],
  ['\u2066João\u2069', 'João'],
  ['João', 'João'],
])('withoutInvisible(%j) is %j', (text, expected) => {
  expect(withoutInvisible(text)).toBe(expected);
});

it.each([
  ['\u200b', false],
  ['\u200b \u00a0\u3164\u2800\t', false],
  ['\u{e0061}\ufe0f', false],
  ['', false],
  ['J', true],
  ['\u200bJ', true],
  ['-', true],
  ['❤️', true],
  ['می\u200cبین', true],
])('isVisible(%j) is %p', (text, expected) => {
  expect(isVisible(text)).toBe(expected);
});
