import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter';
import { MailAllowance } from '../../plans/mail-allowance';
import { UserInvited } from './user.events';

interface Invitee {
  id: string;
  tenant_id: string;
}

/** Invites users without a password to choose one; the mail is sent in response to the recorded event. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly rateLimiter: RateLimiter,
    private readonly allowance: MailAllowance,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Has an invitation mailed after commit. Call it after locking all other rows: the allowance's row stays locked.
   * @throws 403 plan_limit when the tenant exceeds its daily allowance of mails; 429 when it exceeds its hourly
   *   allowance of invitations
   */
  async invite(tx: Transaction, { id, tenant_id }: Invitee): Promise<void> {
    await this.rateLimiter.consume('invitation', tenant_id);
    await this.inviteCounted(tx, tenant_id, [{ id }]);
  }

  /**
   * Counts the invitations that the action makes in the hourly allowance, before its transaction: an action that fails has
   * made none.
   * @throws 429
   */
  async withinAllowance<Result>(
    tenantId: string,
    invitations: number,
    action: () => Promise<Result>,
  ): Promise<Result> {
    await this.rateLimiter.consume('invitation', tenantId, invitations);
    try {
      return await action();
    } catch (error) {
      await this.rateLimiter.giveBack('invitation', tenantId, invitations);
      throw error;
    }
  }

  /** As invite, within the hourly allowance. @throws 403 plan_limit, as invite */
  async inviteCounted(
    tx: Transaction,
    tenantId: string,
    invitees: readonly Pick<Invitee, 'id'>[],
  ): Promise<void> {
    await this.allowance.ensureForStaff(tx, tenantId, invitees.length);
    const at = this.clock.now().toISOString();
    for (const { id } of invitees) await this.events.record(tx, new UserInvited(tenantId, id, at));
  }

  /** Whether the user is active and has not chosen a password yet. */
  async canBeInvited(tx: Transaction, { id, tenant_id }: Invitee): Promise<boolean> {
    const invitees = await tx.query(
      'SELECT FROM users WHERE tenant_id = $1 AND id = $2 AND active AND password_hash IS NULL',
      [tenant_id, id],
    );
    return invitees.length > 0;
  }
}
