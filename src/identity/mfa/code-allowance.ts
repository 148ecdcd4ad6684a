import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter';
import { isRecoveryCode } from './recovery-codes';

/**
 * Limits the second-factor codes entered for one user. Recovery codes have an allowance of their own: anyone with the
 * password can use up that of the app's codes, and must not lock the user out by it.
 */
@Injectable()
export class CodeAllowance {
  constructor(private readonly rateLimiter: RateLimiter) {}

  /** Counts a code before it is checked. @throws 429 with Retry-After */
  consume(userId: string, code: string): Promise<void> {
    return this.rateLimiter.consume(isRecoveryCode(code) ? 'recovery_code' : 'mfa', userId);
  }

  /** Resets both counters after a right code. */
  async reset(userId: string): Promise<void> {
    await this.rateLimiter.reset('mfa', userId);
    await this.rateLimiter.reset('recovery_code', userId);
  }
}
