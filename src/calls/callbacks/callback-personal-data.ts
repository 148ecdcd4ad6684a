import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonalDataRegistry } from '../../customers/personal-data-registry';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import type { Call } from '../call.entity';
import { Absence } from '../machine/absence';
import { withdrawn } from './callback.effects';
import { isAwaited } from './callback.machine';
import { Callbacks } from './callbacks';

const OF_CUSTOMER = `b.tenant_id = $1
  AND b.call_id IN (SELECT id FROM calls WHERE tenant_id = $1 AND customer_id = $2)`;

/** Exports and erases the addresses that invitations were sent to. */
@Injectable()
export class CallbackPersonalData implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalDataRegistry,
    private readonly callbacks: Callbacks,
    private readonly absence: Absence,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.personalData.register({
      name: 'callbacks',
      export: (tx, tenantId, customerId) =>
        tx.query(
          `SELECT b.call_id, b.channel, b.email, b.attempts, b.requested_at, b.invited_at
           FROM callbacks b WHERE ${OF_CUSTOMER} ORDER BY b.requested_at, b.call_id`,
          [tenantId, customerId],
        ),
      erase: async (tx, tenantId, customerId) => {
        const erased = await tx.query(
          `UPDATE callbacks b SET email = NULL WHERE ${OF_CUSTOMER} AND b.email IS NOT NULL RETURNING b.call_id`,
          [tenantId, customerId],
        );
        return erased.length;
      },
    });
  }

  /**
   * Erases the addresses on open calls that an erasure has taken from its customer, and ends their callbacks: who waits there
   * waits on as after taking the callback back.
   * @param calls locked by the transaction
   */
  async eraseDetached(tx: Transaction, calls: Call[]): Promise<void> {
    for (const call of calls) {
      if (isAwaited(call.callback_status)) await this.end(tx, call);
      const values = [call.tenant_id, call.id];
      // That of a department which was just deleted has not ended yet.
      tx.send({
        text: `UPDATE callbacks SET email = NULL, next_attempt_at = NULL, next_deadline = NULL
          WHERE tenant_id = $1 AND call_id = $2`,
        values,
      });
      tx.send({ text: 'DELETE FROM callback_mails WHERE tenant_id = $1 AND call_id = $2', values });
    }
  }

  private async end(tx: Transaction, call: Call): Promise<void> {
    const callback = await this.callbacks.find(tx, call);
    if (!callback) return;
    const absence = await this.absence.ofReturningCall(tx, call.id);
    const changes = withdrawn(call, callback.requested_at, absence, this.clock.now());
    await this.callbacks.apply(tx, call, 'cancel', changes, callback.attempts);
  }
}
