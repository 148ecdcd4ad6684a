import { formatFigure } from './format-figure';

it.each([
  [12.6, 'seconds', '0:13'],
  [59.5, 'seconds', '1:00'],
  [0.3333, 'share', '33.3%'],
  [null, 'seconds', '–'],
] as const)('rounds %s as %s to %s', (value, kind, expected) => {
  expect(formatFigure(value, kind, 'en')).toBe(expected);
});
