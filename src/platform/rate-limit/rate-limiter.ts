import { Injectable } from '@nestjs/common';
import { InjectThrottlerStorage } from '@nestjs/throttler';
import { tooManyRequests } from '../http/errors/api-error';
import { RateLimitStorage } from './rate-limit.storage';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Limits by name: `limit` attempts in `ttl` milliseconds for each key. */
const LIMITS = {
  /** Codes of the authenticator app entered for one user. */
  mfa: { limit: 20, ttl: HOUR_MS },
  /** Recovery codes entered for one user. */
  recovery_code: { limit: 20, ttl: HOUR_MS },
  /** Passwords that a user who is logged in enters to confirm an action. */
  password: { limit: 20, ttl: HOUR_MS },
  /** Invitations mailed by one tenant: two of the largest batches. */
  invitation: { limit: 200, ttl: HOUR_MS },
  /** Mails about appointments from one company to one address. */
  appointment_address: { limit: 30, ttl: DAY_MS },
  /** Mails about disabled webhooks to one owner beyond the company's allowance: its receivers can cause them at will. */
  webhook_disabled: { limit: 3, ttl: DAY_MS },
  /** Mails from all companies to one unconfirmed address of staff. */
  unconfirmed_address: { limit: 10, ttl: DAY_MS },
  /** Notifications with a wrong token from one client address. */
  gateway_token: { limit: 600, ttl: MINUTE_MS },
  /** Links and calls looked up for one client address, because other sites may use some from a browser. */
  site_lookup: { limit: 300, ttl: MINUTE_MS },
  /** Logos decoded for one tenant. */
  logo: { limit: 30, ttl: HOUR_MS },
  /** Answers to one client address that a document is in use, so that nobody can find out the customers of the service. */
  document_in_use: { limit: 5, ttl: MINUTE_MS },
  /** Photos decoded for one user who is shown: any number of users may get theirs at once. */
  avatar: { limit: 30, ttl: HOUR_MS },
};

type LimitName = keyof typeof LIMITS;

/** Limits that do not depend on the route: attempts are counted by key, from any client address. */
@Injectable()
export class RateLimiter {
  constructor(@InjectThrottlerStorage() private readonly storage: RateLimitStorage) {}

  /**
   * Counts an attempt before it is made, so that simultaneous attempts are counted too. Several at once do not count if they
   * exceed the limit together: fewer may still be made.
   * @throws 429 with Retry-After once the limit is reached
   */
  async consume(name: LimitName, key: string, attempts = 1): Promise<void> {
    const { limit, ttl } = LIMITS[name];
    const { isBlocked, timeToExpire } = await this.storage.increment(key, ttl, limit, ttl, name, attempts);
    if (!isBlocked) return;
    if (attempts > 1) await this.giveBack(name, key, attempts);
    throw tooManyRequests(timeToExpire);
  }

  /**
   * For attempts of which only some count: those that do not are refused, too, once the limit is reached.
   * @throws 429 with Retry-After
   */
  async ensureNotReached(name: LimitName, key: string): Promise<void> {
    const { limit, ttl } = LIMITS[name];
    const counted = await this.storage.peek(key, ttl, limit, name);
    if (counted && counted.totalHits >= limit) throw tooManyRequests(counted.timeToExpire);
  }

  /** As consume, for one attempt. @returns false once the limit is reached */
  async admits(name: LimitName, key: string): Promise<boolean> {
    const { limit, ttl } = LIMITS[name];
    return !(await this.storage.increment(key, ttl, limit, ttl, name)).isBlocked;
  }

  /** The attempts were counted, but not made. */
  giveBack(name: LimitName, key: string, attempts: number): Promise<void> {
    const { limit, ttl } = LIMITS[name];
    return this.storage.decrement(key, ttl, limit, name, attempts);
  }

  /** Resets the counter, for example after a correct code. */
  reset(name: LimitName, key: string): Promise<void> {
    const { limit, ttl } = LIMITS[name];
    return this.storage.reset(key, ttl, limit, name);
  }
}
