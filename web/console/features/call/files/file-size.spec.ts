import { formatSize } from './file-size';

describe('formatSize', () => {
  it.each([
    [0, '0 byte'],
    [900, '900 byte'],
    [2048, '2 kB'],
    [1.5 * 1024 * 1024, '1.5 MB'],
    [3 * 1024 ** 4, '3,072 GB'],
  ])('%p', (bytes, expected) => {
    expect(formatSize(bytes, 'en')).toBe(expected);
  });
});
