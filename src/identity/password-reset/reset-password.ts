import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { EventBus } from '../../platform/events/event-bus';
import { unprocessable } from '../../platform/http/errors/api-error';
import { setActor } from '../../platform/logging/request-context';
import type { ResetPasswordDto } from '../sessions/auth.dto';
import { PasswordChanged } from '../identity.events';
import { hashPassword } from '../users/passwords';
import { SessionsService } from '../sessions/sessions.service';
import { PasswordTokens } from './password-tokens';

@Injectable()
export class ResetPassword {
  constructor(
    private readonly database: Database,
    private readonly tokens: PasswordTokens,
    private readonly sessions: SessionsService,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** Sets the password of the token's holder and ends all their sessions. @throws 422 invalid_token */
  async reset({ token, password }: ResetPasswordDto): Promise<void> {
    // Hashing is dear: not for a token that somebody made up.
    if (!(await this.tokens.isGood(token))) throw invalidToken();
    const passwordHash = await hashPassword(password);
    await this.database.system(async (tx) => {
      const holder = await this.tokens.use(tx, token);
      if (!holder) throw invalidToken();
      const { tenant_id, user_id } = holder;
      await tx.narrow(tenant_id);
      setActor({ tenant_id, user_id });
      // The row is locked: what it says of the password before is still so.
      const before = await tx.one<{ first: boolean }>(
        'SELECT password_hash IS NULL AS first FROM users WHERE id = $1',
        [user_id],
      );
      await tx.query('UPDATE users SET password_hash = $2 WHERE id = $1', [user_id, passwordHash]);
      await this.tokens.discard(tx, user_id);
      await tx.query('DELETE FROM mfa_attempts WHERE user_id = $1', [user_id]);
      await this.sessions.revokeAll(tx, tenant_id, user_id, 'password_reset');
      const at = this.clock.now().toISOString();
      await this.events.record(tx, new PasswordChanged(tenant_id, user_id, at, before?.first ?? false));
    });
  }
}

const invalidToken = () =>
  unprocessable('invalid_token', 'This link is not valid, has been used or has expired. Ask for a new one.', {
    token: ['is not valid, used or expired'],
  });
