import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { unauthenticated } from '../../platform/http/errors/api-error';
import type { LoginAnswerDto } from '../sessions/auth.dto';
import { CodeAllowance } from './code-allowance';
import type { VerifyMfaDto } from './mfa.dto';
import { LoginFailed } from '../sessions/session.events';
import type { SessionClient } from '../sessions/session-client';
import { type AuthenticatedUser, CompleteLogin } from '../sessions/complete-login';
import { MfaAttemptStore } from '../sessions/mfa-attempt-store';
import { SecondFactor } from './second-factor';

/** Second step of a login, for users with MFA. */
@Injectable()
export class VerifyMfa {
  constructor(
    private readonly database: Database,
    private readonly attempts: MfaAttemptStore,
    private readonly factor: SecondFactor,
    private readonly allowance: CodeAllowance,
    private readonly completeLogin: CompleteLogin,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws 401 for a wrong code, or an attempt that has expired or has had too many codes; 429 after too many
   *   wrong codes of that kind for the user over all attempts
   */
  async verify({ mfa_token, code }: VerifyMfaDto, client: SessionClient): Promise<LoginAnswerDto> {
    const attempt = await this.attempts.countCode(mfa_token);
    if (!attempt) {
      throw unauthenticated(
        'This login has expired or had too many wrong codes. Log in again.',
        'invalid_mfa_token',
      );
    }
    const { tenant_id, user_id } = attempt;
    await this.allowance.consume(user_id, code);
    // A rejection is returned, not thrown, so that its event is committed.
    const answer = await this.database.tenant(tenant_id, async (tx) => {
      const user = await this.lockUser(tx, user_id);
      // A parallel request may have finished the attempt: then this code is not consumed.
      const isOpen = await this.attempts.isOpen(tx, mfa_token);
      const kind = user && isOpen && (await this.factor.consumeCode(tx, user_id, code));
      if (kind) {
        await this.attempts.delete(tx, mfa_token);
        return this.completeLogin.complete(tx, user, client, kind);
      }
      const at = this.clock.now().toISOString();
      const reason = user ? 'wrong_code' : 'inactive';
      await this.events.record(tx, new LoginFailed(tenant_id, user_id, at, reason));
      return undefined;
    });
    if (!answer) throw unauthenticated('The code is wrong or has been used.', 'invalid_code');
    await this.allowance.reset(user_id);
    return answer;
  }

  /** The row lock makes a deactivation or password change wait, so that it also ends this login's session. */
  private lockUser(tx: Transaction, id: string): Promise<AuthenticatedUser | undefined> {
    return tx.one<AuthenticatedUser>(
      `SELECT u.id, u.tenant_id, u.name, u.email, u.role FROM users u JOIN tenants t ON t.id = u.tenant_id
       WHERE u.id = $1 AND u.active AND t.suspended_at IS NULL FOR NO KEY UPDATE OF u`,
      [id],
    );
  }
}
