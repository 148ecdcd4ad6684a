import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { PasswordChanged, type PasswordChange } from './user.events';

@Injectable()
export class SetPassword {
  constructor(
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a new password. Listeners of PasswordChanged end the user's sessions and logins in progress, invalidate mailed
   * links, and notify the user.
   * @param tx must hold the lock on the user's row
   */
  async set(
    tx: Transaction,
    user: { id: string; tenant_id: string },
    passwordHash: string,
    change: Omit<PasswordChange, 'first'>,
  ): Promise<void> {
    const before = await tx.one<{ first: boolean }>(
      `UPDATE users u SET password_hash = $2 FROM users b WHERE b.id = u.id AND u.id = $1
       RETURNING b.password_hash IS NULL AS first`,
      [user.id, passwordHash],
    );
    const at = this.clock.now().toISOString();
    await this.events.record(
      tx,
      new PasswordChanged(user.tenant_id, user.id, at, { ...change, first: before?.first ?? false }),
    );
  }
}
