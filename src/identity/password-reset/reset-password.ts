import { Injectable } from '@nestjs/common';
import type { Role } from '../../platform/access/roles';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { EventBus } from '../../platform/events/event-bus';
import { unprocessable } from '../../platform/http/errors/api-error';
import { setActor } from '../../platform/logging/request-context';
import { TenantsService } from '../../tenancy/tenants.service';
import { PasswordChanged } from '../users/user.events';
import { PasswordHasher } from '../users/password-hasher';
import { LoginAddresses } from '../sessions/login-addresses';
import { MfaAttemptStore } from '../sessions/mfa-attempt-store';
import { SessionsService } from '../sessions/sessions.service';
import type { ResetPasswordDto } from './password-reset.dto';
import { PasswordTokens } from './password-tokens';

@Injectable()
export class ResetPassword {
  constructor(
    private readonly database: Database,
    private readonly tokens: PasswordTokens,
    private readonly sessions: SessionsService,
    private readonly addresses: LoginAddresses,
    private readonly mfaAttempts: MfaAttemptStore,
    private readonly tenants: TenantsService,
    private readonly events: EventBus,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /**
   * Sets the password of the token's holder and ends all of their sessions. The link also proves the e-mail
   * address, and makes the client's address known: wrong passwords of strangers do not delay the user's next login.
   * @param address the client's, as rate limits count it
   * @returns the slug of the user's company
   * @throws 422 invalid_token
   */
  async reset({ token, password }: ResetPasswordDto, address: string): Promise<string> {
    // Check first: password hashing is too expensive to do for made-up tokens.
    const found = await this.tokens.findHolder(token);
    if (!found) throw invalidToken();
    const passwordHash = await this.hasher.hash(password);
    return this.database.tenant(found.tenant_id, async (tx) => {
      // Lock order: the tenant, whose e-mail address may be confirmed below, before the user.
      await this.tenants.lock(tx, found.tenant_id);
      const holder = await this.tokens.use(tx, token);
      if (!holder) throw invalidToken();
      const { tenant_id, user_id } = holder;
      setActor({ tenant_id, user_id });
      const before = await tx.one<{ first: boolean; role: Role; slug: string }>(
        `SELECT u.password_hash IS NULL AS first, u.role, t.slug
         FROM users u JOIN tenants t ON t.id = u.tenant_id WHERE u.id = $1`,
        [user_id],
      );
      await tx.query('UPDATE users SET password_hash = $2, email_confirmed_at = $3 WHERE id = $1', [
        user_id,
        passwordHash,
        this.clock.now(),
      ]);
      await this.tokens.discardAll(tx, user_id);
      await this.mfaAttempts.deleteAllOfUser(tx, user_id);
      await this.sessions.revokeAll(tx, tenant_id, user_id, 'password_reset');
      this.addresses.add(tx, { id: user_id, tenant_id }, address);
      if (before?.role === 'owner') await this.tenants.confirmEmail(tx, tenant_id);
      const at = this.clock.now().toISOString();
      await this.events.record(tx, new PasswordChanged(tenant_id, user_id, at, before?.first ?? false));
      return before?.slug ?? '';
    });
  }
}

const invalidToken = () =>
  unprocessable('invalid_token', 'This link is not valid, has been used or has expired. Request a new one.', {
    token: ['is not valid, or was used or has expired'],
  });
