import { usageShare } from './usage';

describe('usageShare', () => {
  it.each([
    [3, null, null],
    [0, 10, { percent: 0, left: 'plenty' }],
    [7, 10, { percent: 70, left: 'plenty' }],
    [8, 10, { percent: 80, left: 'little' }],
    [10, 10, { percent: 100, left: 'none' }],
    [12, 10, { percent: 100, left: 'none' }],
    [0, 0, { percent: 100, left: 'none' }],
  ])('%p of %p', (used, limit, share) => {
    expect(usageShare(used, limit)).toEqual(share);
  });
});
