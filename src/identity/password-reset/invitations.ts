import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { notFound, unprocessable } from '../../platform/http/errors/api-error';
import type { Principal } from '../../platform/access/principal';
import type { Role } from '../../platform/access/roles';
import { Allowances } from '../../platform/rate-limit/allowances';
import { AddressChangeMail } from '../mail/address-change-mail';
import { UserInvited } from '../identity.events';
import { ensureMayManage } from '../users/user.rules';
import { PasswordTokens } from './password-tokens';

interface Invitee {
  id: string;
  tenant_id: string;
}

/** Mails that let a user without a password choose one. */
@Injectable()
export class Invitations {
  constructor(
    private readonly database: Database,
    private readonly tokens: PasswordTokens,
    private readonly allowances: Allowances,
    private readonly addressChanges: AddressChangeMail,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** Has an invitation mailed once the transaction commits. @throws 429 when the tenant has mailed too many */
  async invite(tx: Transaction, { id, tenant_id }: Invitee): Promise<void> {
    await this.allowances.take('invitation', tenant_id);
    await this.events.record(tx, new UserInvited(tenant_id, id, this.clock.now().toISOString()));
  }

  /**
   * The user has another address now: links that went to the old one are worthless, an invitation goes to
   * the new one, and whoever could log in already is told at the old one.
   */
  async moveTo(tx: Transaction, user: Invitee, oldAddress: string): Promise<void> {
    await this.tokens.discard(tx, user.id);
    if (await this.isWaiting(tx, user)) return this.invite(tx, user);
    await this.addressChanges.announce(tx, { tenant_id: user.tenant_id, user_id: user.id }, oldAddress);
  }

  /**
   * Sends the invitation once more.
   * @throws 403, 404; 422 when the user has a password, is not active or has links enough
   */
  async repeat(actor: Principal, id: string): Promise<void> {
    const { tenant_id } = actor;
    await this.database.tenant(tenant_id, async (tx) => {
      const user = await tx.one<{ role: Role }>(
        'SELECT role FROM users WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE',
        [tenant_id, id],
      );
      if (!user) throw notFound('User');
      ensureMayManage(actor.role, user.role);
      if (!(await this.isWaiting(tx, { id, tenant_id }))) {
        throw unprocessable('not_invited', 'Only an active user who has no password yet can be invited.');
      }
      if (await this.tokens.hasEnough(tx, id)) {
        throw unprocessable('too_many_links', 'The user has five links already that are still good.');
      }
      await this.invite(tx, { id, tenant_id });
    });
  }

  private async isWaiting(tx: Transaction, { id, tenant_id }: Invitee): Promise<boolean> {
    const waiting = await tx.query(
      'SELECT FROM users WHERE tenant_id = $1 AND id = $2 AND active AND password_hash IS NULL',
      [tenant_id, id],
    );
    return waiting.length > 0;
  }
}
