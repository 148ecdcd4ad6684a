import { TokenBucket } from './token-bucket';

const takeAll = (bucket: TokenBucket, now: number) => {
  let taken = 0;
  while (bucket.take(now)) taken++;
  return taken;
};

describe('TokenBucket', () => {
  it('allows the burst at once, and then the rate', () => {
    const bucket = new TokenBucket(50, 200, 0);
    expect(takeAll(bucket, 0)).toBe(200);
    expect(takeAll(bucket, 1000)).toBe(50);
    expect(takeAll(bucket, 1010)).toBe(0);
    expect(takeAll(bucket, 1020)).toBe(1);
  });

  it('saves no more than the burst', () => {
    const bucket = new TokenBucket(50, 200, 0);
    expect(takeAll(bucket, 3_600_000)).toBe(200);
  });

  it('loses no part of a token to frequent attempts', () => {
    const bucket = new TokenBucket(10, 1, 0);
    bucket.take(0);
    const taken = Array.from({ length: 1000 }, (_, ms) => bucket.take(ms + 1)).filter(Boolean);
    expect(taken.length).toBeGreaterThanOrEqual(9);
    expect(taken.length).toBeLessThanOrEqual(10);
  });

  it('takes the weight of an action, and of one above the burst all of it', () => {
    const bucket = new TokenBucket(10, 20, 0);
    expect([8, 8, 8, 4].map((weight) => bucket.take(0, weight))).toEqual([true, true, false, true]);
    expect(bucket.take(1999, 50)).toBe(false);
    expect(bucket.take(2000, 50)).toBe(true);
    expect(bucket.take(2000)).toBe(false);
  });

  it('says when an action is within the limit, also one after a debt', () => {
    const bucket = new TokenBucket(10, 20, 0);
    expect(bucket.delayMs(0, 20)).toBe(0);
    bucket.charge(0, 30);
    expect(bucket.delayMs(0, 5)).toBe(1500);
    expect(bucket.delayMs(1000, 50)).toBe(2000);
    bucket.charge(1000, 1000);
    expect(bucket.delayMs(1000, 0)).toBe(2000);
  });
});
