import { Injectable } from '@nestjs/common';
import type { Role } from '../../platform/access/roles';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { unprocessable } from '../../platform/http/errors/api-error';
import { setActor } from '../../platform/logging/request-context';
import { TenantsService } from '../../tenancy/tenants.service';
import { PasswordHasher } from '../users/password-hasher';
import { SetPassword } from '../users/set-password';
import { LoginAddresses } from '../sessions/login-addresses';
import type { ResetPasswordDto } from './password-reset.dto';
import { PasswordTokens } from './password-tokens';

@Injectable()
export class ResetPassword {
  constructor(
    private readonly database: Database,
    private readonly tokens: PasswordTokens,
    private readonly addresses: LoginAddresses,
    private readonly tenants: TenantsService,
    private readonly passwords: SetPassword,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /**
   * Sets the password of the token's holder, which ends all of their sessions. The link also proves the e-mail
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
      const user = { id: user_id, tenant_id };
      const confirmed = await tx.one<{ role: Role; slug: string }>(
        `UPDATE users u SET email_confirmed_at = $2 FROM tenants t WHERE t.id = u.tenant_id AND u.id = $1
         RETURNING u.role, t.slug`,
        [user_id, this.clock.now()],
      );
      await this.passwords.set(tx, user, passwordHash, { by: 'link', kept_session_id: null });
      this.addresses.add(tx, user, address);
      if (confirmed?.role === 'owner') await this.tenants.confirmEmail(tx, tenant_id);
      return confirmed?.slug ?? '';
    });
  }
}

const invalidToken = () =>
  unprocessable('invalid_token', 'This link is not valid, has been used or has expired. Request a new one.', {
    token: ['is not valid, or was used or has expired'],
  });
