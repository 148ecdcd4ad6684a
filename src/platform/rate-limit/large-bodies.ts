import type { Request, RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { tooManyRequests } from '../http/errors/api-error';
import { clientAddress } from './client-address';
import { isLoopbackClient } from './loopback-client';
import { TokenBucket } from './token-bucket';
import { trustFunction } from './trust-function';

const KIB = 1024;
/** Smaller bodies count as requests only, like those of public routes. */
const LARGE_BYTES = 16 * KIB;
const BYTES_PER_SECOND = 256 * KIB;
const BURST_BYTES = 4096 * KIB;
/** An invalid body counts as several: each of its problems is found and described. */
const INVALID_WEIGHT = 4;
const MAX_ADDRESSES = 10_000;

/**
 * Limits the bytes of large JSON bodies from one client address: they are parsed before the user is known, and requests of
 * the same number cost a hundred times as much with them. Loopback is exempt.
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

/**
 * Answers a large body with 429 before it is read if its client has sent too much of them.
 * @param maxBytesOf the largest body that is read for a request: a larger one costs nothing, and one without a
 *   Content-Length counts as so large
 */
export function limitLargeBodies(maxBytesOf: (request: Request) => number): RequestHandler {
  const bodies = new LargeBodies();
  return (request, response, next) => {
    const maxBytes = maxBytesOf(request);
    const bytes = announcedBytes(request, maxBytes);
    if (bytes <= LARGE_BYTES || bytes > maxBytes) return next();
    if (isLoopbackClient(request, trustFunction(request.app))) return next();
    const address = clientAddress(request);
    const seconds = bodies.admit(address, bytes);
    if (seconds > 0) return next(tooManyRequests(seconds));
    response.once('finish', () => {
      if (response.statusCode === 400 || response.statusCode === 422) bodies.countInvalid(address, bytes);
    });
    next();
  };
}

function announcedBytes({ headers }: Request, maxBytes: number): number {
  if (headers['transfer-encoding'] !== undefined) return maxBytes;
  return Number(headers['content-length'] ?? 0);
}
