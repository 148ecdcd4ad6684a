import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { tooManyRequests } from '../platform/http/errors/api-error';
import { clientAddress, isLoopbackClient, trustFunction } from '../platform/rate-limit/client-address';
import { TokenBucket } from '../platform/rate-limit/token-bucket';

/**
 * Answers large JSON bodies with 429 if their client has sent too much of them: by their Content-Length before they are read,
 * otherwise after that, but before they are parsed. Loopback is exempt.
 */
export class LargeBodyLimit {
  private readonly bodies = new LargeBodies();

  /** @param maxBytesOf the largest body that is read for a request: a larger one is refused anyway, and costs nothing */
  constructor(private readonly maxBytesOf: (request: Request) => number) {}

  /** For bodies with a Content-Length. */
  readonly limitAnnounced: RequestHandler = (request, response, next) => {
    const bytes = Number(request.headers['content-length'] ?? 0);
    if (bytes > LARGE_BYTES && request.is('application/json') && bytes <= this.maxBytesOf(request))
      this.admit(request, response, bytes, next);
    else next();
  };

  /** For bodies without one. @throws 429 */
  checkReceived(request: Request, response: Response, bytes: number): void {
    if (bytes <= LARGE_BYTES || request.headers['content-length'] !== undefined) return;
    this.admit(request, response, bytes, (refusal?: unknown) => {
      if (refusal) throw refusal;
    });
  }

  private admit(request: Request, response: Response, bytes: number, decide: NextFunction): void {
    if (isLoopbackClient(request, trustFunction(request.app))) return decide();
    const address = clientAddress(request);
    const seconds = this.bodies.admit(address, bytes);
    if (seconds > 0) return decide(tooManyRequests(seconds));
    response.once('finish', () => {
      if (response.statusCode === 400 || response.statusCode === 422)
        this.bodies.countInvalid(address, bytes);
    });
    decide();
  }
}

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
 * the same number cost a hundred times as much with them.
 */
class LargeBodies {
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
