import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonalDataRegistry } from '../../customers/personal-data-registry';

const OF_CUSTOMER = `b.tenant_id = $1
  AND b.call_id IN (SELECT id FROM calls WHERE tenant_id = $1 AND customer_id = $2)`;

/** Exports and erases the addresses that invitations were sent to. */
@Injectable()
export class CallbackPersonalData implements OnModuleInit {
  constructor(private readonly personalData: PersonalDataRegistry) {}

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
}
