import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CustomersMerged } from '../../customers/customer.events';
import { PersonalDataRegistry } from '../../customers/personal-data-registry';
import type { Transaction } from '../../platform/database/transaction';
import { InTransaction } from '../../platform/events/listeners';

const OF_CUSTOMER = 'tenant_id = $1 AND customer_id = $2';

/** What deliveries hold of a person: a payload tells who called. */
@Injectable()
export class DeliveryPersonalData implements OnModuleInit {
  constructor(private readonly personalData: PersonalDataRegistry) {}

  onModuleInit(): void {
    this.personalData.register({
      name: 'webhook_deliveries',
      export: (tx, tenantId, customerId) =>
        tx.query(
          `SELECT id, event, status, payload, inserted_at FROM webhook_deliveries WHERE ${OF_CUSTOMER}
           ORDER BY inserted_at, id`,
          [tenantId, customerId],
        ),
      // With every try: an answer may repeat what it was told. One that waits tells nobody any more.
      erase: async (tx, tenantId, customerId) => {
        const erased = await tx.query(`DELETE FROM webhook_deliveries WHERE ${OF_CUSTOMER} RETURNING id`, [
          tenantId,
          customerId,
        ]);
        return erased.length;
      },
    });
  }

  @InTransaction(CustomersMerged)
  async onMerged({ tenant_id, subject_id, duplicate_ids }: CustomersMerged, tx: Transaction): Promise<void> {
    await tx.query(
      'UPDATE webhook_deliveries SET customer_id = $2 WHERE tenant_id = $1 AND customer_id = ANY ($3)',
      [tenant_id, subject_id, duplicate_ids],
    );
  }
}
