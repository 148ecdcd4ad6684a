import { formatSize } from './format-size';

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [4_210_000, '4.2 MB'],
  [7_000_000_000_000, '7,000 GB'],
])('%p bytes are %s', (bytes, text) => {
  expect(formatSize(bytes, 'en')).toBe(text);
});
