import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { unauthenticated } from '../../platform/http/errors/api-error';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter';
import type { LoginAnswerDto, VerifyMfaDto } from '../sessions/auth.dto';
import { LoginFailed } from '../identity.events';
import type { Client } from '../sessions/sessions.service';
import { type Proven, SignIn } from '../sessions/sign-in';
import { MfaAttempts } from './mfa-attempts';
import { SecondFactor } from './second-factor';

/** The second step of a login. */
@Injectable()
export class VerifyMfa {
  constructor(
    private readonly database: Database,
    private readonly attempts: MfaAttempts,
    private readonly factor: SecondFactor,
    private readonly rateLimiter: RateLimiter,
    private readonly signIn: SignIn,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws 401 for a wrong code, or an attempt that has expired or used up its tries; 429 after too many
   *   wrong codes of one user over all attempts
   */
  async verify({ mfa_token, code }: VerifyMfaDto, client: Client): Promise<LoginAnswerDto> {
    const attempt = await this.attempts.takeTry(mfa_token);
    if (!attempt) {
      throw unauthenticated(
        'This login has expired or had too many tries. Log in again.',
        'invalid_mfa_token',
      );
    }
    const { tenant_id, user_id } = attempt;
    await this.rateLimiter.consume('mfa', user_id);
    // A refusal is returned, not thrown: what is noted of it has to be committed.
    const answer = await this.database.tenant(tenant_id, async (tx) => {
      const user = await this.userOf(tx, user_id);
      // Another code may have ended the attempt meanwhile: then this one is not used up.
      const isOpen = await this.attempts.isOpen(tx, mfa_token);
      const kind = user && isOpen && (await this.factor.accept(tx, user_id, code));
      if (kind) {
        await this.attempts.finish(tx, mfa_token);
        return this.signIn.open(tx, user, client, kind);
      }
      const at = this.clock.now().toISOString();
      const reason = user ? 'wrong_code' : 'inactive';
      await this.events.record(tx, new LoginFailed(tenant_id, user_id, at, reason));
      return undefined;
    });
    if (!answer) throw unauthenticated('The code is wrong or has been used.', 'invalid_code');
    await this.rateLimiter.reset('mfa', user_id);
    return answer;
  }

  /** Holds the user's row: a deactivation or a new password waits for this login, and ends its session. */
  private userOf(tx: Transaction, id: string): Promise<Proven | undefined> {
    return tx.one<Proven>(
      `SELECT u.id, u.tenant_id, u.name, u.email, u.role FROM users u JOIN tenants t ON t.id = u.tenant_id
       WHERE u.id = $1 AND u.active AND t.suspended_at IS NULL FOR NO KEY UPDATE OF u`,
      [id],
    );
  }
}
