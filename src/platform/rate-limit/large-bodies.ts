import { LRUCache } from 'lru-cache';
import { TokenBucket } from './token-bucket';

const KIB = 1024;
/** Smaller bodies count as requests only, like those of public routes. */
export const LARGE_BYTES = 16 * KIB;
const BYTES_PER_SECOND = 256 * KIB;
const BURST_BYTES = 4096 * KIB;
/** An invalid body counts as several: each of its problems is found and described. */
const INVALID_WEIGHT = 4;
const MAX_ADDRESSES = 10_000;

/**
 * Limits the bytes of large JSON bodies from one client address: they are parsed before the user is known, and requests of
 * the same number cost a hundred times as much with them.
 */
export class LargeBodies {
  /** By the end of its time a bucket that was not used is full again, also from the deepest debt. */
  private readonly buckets = new LRUCache<string, TokenBucket>({
    ttl: (2 * BURST_BYTES * 1000) / BYTES_PER_SECOND,
    updateAgeOnGet: true,
    max: MAX_ADDRESSES,
  });

  /** @param now as performance.now() @returns seconds until the address may send so much; 0 if it may */
  admit(address: string, bytes: number, now = performance.now()): number {
    const bucket = this.bucketOf(address, now);
    return bucket.take(now, bytes) ? 0 : Math.ceil(bucket.delayMs(now, bytes) / 1000);
  }

  /** The body that was admitted was not valid. */
  countInvalid(address: string, bytes: number, now = performance.now()): void {
    this.bucketOf(address, now).charge(now, bytes * (INVALID_WEIGHT - 1));
  }

  private bucketOf(address: string, now: number): TokenBucket {
    const known = this.buckets.get(address);
    if (known) return known;
    const bucket = new TokenBucket(BYTES_PER_SECOND, BURST_BYTES, now);
    this.buckets.set(address, bucket);
    return bucket;
  }
}
