import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal';
import { Database } from '../../platform/database/database';
import { notFound, unprocessable } from '../../platform/http/errors/api-error';
import { InvitationsService } from '../users/invitations.service';
import { ensureMayManage } from '../users/user.rules';
import { PasswordTokens } from './password-tokens';
import { Role } from '../../platform/access/roles';

@Injectable()
export class ResendInvitation {
  constructor(
    private readonly database: Database,
    private readonly tokens: PasswordTokens,
    private readonly invitations: InvitationsService,
  ) {}

  /**
   * Mails the invitation again.
   * @throws 403 for a user above the caller, or plan_limit; 404; 422 when the user has a password, is not active or has
   *   too many valid links; 429 when the tenant exceeds its hourly allowance
   */
  async resend(actor: Principal, id: string): Promise<void> {
    const { tenant_id } = actor;
    await this.database.tenant(tenant_id, async (tx) => {
      const user = await tx.one<{ role: Role }>(
        'SELECT role FROM users WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE',
        [tenant_id, id],
      );
      if (!user) throw notFound('User');
      ensureMayManage(actor.role, user.role);
      if (!(await this.invitations.canBeInvited(tx, { id, tenant_id }))) {
        throw unprocessable('not_invited', 'Only an active user who has no password yet can be invited.');
      }
      if (await this.tokens.hasMaxValid(tx, id)) {
        throw unprocessable('too_many_links', 'The user already has five valid links.');
      }
      await this.invitations.invite(tx, { id, tenant_id });
    });
  }
}
