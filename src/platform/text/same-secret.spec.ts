import { isSameSecret } from './same-secret';

it.each([
  ['secret', 'secret', true],
  ['sécret', 'sécret', true],
  ['', '', true],
  ['secret', 'Secret', false],
  ['secret', 'secret ', false],
  ['secre', 'secret', false],
  ['', 'secret', false],
])('%j and %j: %s', (given, expected, same) => {
  expect(isSameSecret(given, expected)).toBe(same);
});
