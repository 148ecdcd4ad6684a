import { disconnectBatchSize } from './disconnect-pace';

it.each([
  ['none', 0, 10_000, 50],
  ['few', 50, 10_000, 50],
  ['as many as fit', 5000, 10_000, 50],
  ['more than fit', 20_000, 10_000, 200],
  ['those of a time that is too short', 1000, 50, 1000],
  ['those without time', 1000, 0, 1000],
])('%s', (_what, sockets, duration, size) => {
  expect(disconnectBatchSize(sockets, duration)).toBe(size);
});
