import { HttpStatus, Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { clientAddress } from './client-address';
import { DelayedRefusals } from './delayed-refusals';
import { isLoopbackClient } from './client-address';
import { TokenBucket } from './token-bucket';
import { trustFunction } from './client-address';

/** Refusals of one client address that are answered at once: 20, and one more each second. */
const AT_ONCE = 20;
const PER_SECOND = 1;
/** Short of the second from which a response counts as slow in the alerts of deploy/prometheus. */
const DELAY_MS = 750;
const MAX_ADDRESSES = 10_000;

/** What a client gets that sends too much, or too many requests. */
const REFUSED = new Set<number>([HttpStatus.PAYLOAD_TOO_LARGE, HttpStatus.TOO_MANY_REQUESTS]);

/**
 * Answers late when an address goes on although its requests are refused. A refusal costs as much as a small request, and a
 * client that waits for the answer sends one or two in a second then, instead of a hundred. Loopback is exempt.
 */
@Injectable()
export class LateRefusals {
  private readonly logger = new Logger(LateRefusals.name);
  private readonly delayed = new DelayedRefusals(DELAY_MS);
  /** By the end of its time a bucket that was not used is full again. */
  private readonly buckets = new LRUCache<string, TokenBucket>({
    ttl: (AT_ONCE / PER_SECOND) * 1000,
    updateAgeOnGet: true,
    max: MAX_ADDRESSES,
  });

  /** @param answer sends the response; called late if the status is a refusal and the address goes on */
  answer(request: Request, status: number, answer: () => void): void {
    if (!REFUSED.has(status) || isLoopbackClient(request, trustFunction(request.app))) return answer();
    const address = clientAddress(request);
    const bucket = this.buckets.get(address) ?? new TokenBucket(PER_SECOND, AT_ONCE);
    this.buckets.set(address, bucket);
    if (bucket.take()) answer();
    else this.delayed.add(() => this.answerLate(request, answer));
  }

  /** Nothing else would handle its error. */
  private answerLate(request: Request, answer: () => void): void {
    try {
      answer();
    } catch (error) {
      this.logger.error(error, 'A late refusal could not be sent');
      request.socket.destroy();
    }
  }
}
