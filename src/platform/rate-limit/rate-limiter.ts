import { Injectable } from '@nestjs/common';
import { InjectThrottlerStorage } from '@nestjs/throttler';
import { tooManyRequests } from '../http/errors/api-error';
import { RateLimitStorage } from './rate-limit.storage';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What may be tried how often, by name: `limit` times in `ttl` milliseconds for each key. */
const LIMITS = {
  /** Second-factor codes of one user. */
  mfa: { limit: 20, ttl: HOUR_MS },
  /** Invitations that one tenant has mailed, to whatever address it names. */
  invitation: { limit: 100, ttl: HOUR_MS },
  /** Notifications with a wrong token, of one client address. */
  gateway_token: { limit: 600, ttl: MINUTE_MS },
  /** Pictures that one tenant has decoded. */
  logo: { limit: 30, ttl: HOUR_MS },
};

type LimitName = keyof typeof LIMITS;

/** Allowances that do not depend on the route: whatever is tried is counted for a key, wherever it comes from. */
@Injectable()
export class RateLimiter {
  constructor(@InjectThrottlerStorage() private readonly storage: RateLimitStorage) {}

  /**
   * Counts a try before it is made, so that of many at once none is for free.
   * @throws 429 with Retry-After once the allowance is used up
   */
  async consume(name: LimitName, key: string): Promise<void> {
    const { limit, ttl } = LIMITS[name];
    const { isBlocked, timeToExpire } = await this.storage.increment(key, ttl, limit, ttl, name);
    if (isBlocked) throw tooManyRequests(timeToExpire);
  }

  /** Forgets what was taken, for instance after a right code. */
  reset(name: LimitName, key: string): Promise<void> {
    const { limit, ttl } = LIMITS[name];
    return this.storage.reset(key, ttl, limit, name);
  }
}
