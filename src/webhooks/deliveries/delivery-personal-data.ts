import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CustomersMerged } from '../../customers/customer.events';
import { PersonalDataRegistry } from '../../customers/personal-data-registry';
import type { Transaction } from '../../platform/database/transaction';
import { InTransaction } from '../../platform/events/listeners';

const OF_CUSTOMER = 'tenant_id = $1 AND customer_id = $2';

/** The payload without the link of an invitation that is still to be delivered: whoever reads it could take the call. */
const WITHOUT_LINK = `CASE WHEN event = 'callback.due'
  THEN jsonb_set(payload::jsonb, '{data,resume_url}', 'null', false)::json ELSE payload END`;

/** The personal data in deliveries, and in events of which they are still to be made: payloads name the customer. */
@Injectable()
export class DeliveryPersonalData implements OnModuleInit {
  constructor(private readonly personalData: PersonalDataRegistry) {}

  onModuleInit(): void {
    this.personalData.register({
      name: 'webhook_deliveries',
      export: (tx, tenantId, customerId) =>
        tx.query(
          `SELECT id, event, status, ${WITHOUT_LINK} AS payload, inserted_at FROM webhook_deliveries WHERE ${OF_CUSTOMER}
           UNION ALL
           SELECT NULL, event, 'pending', ${WITHOUT_LINK}, inserted_at FROM webhook_events WHERE ${OF_CUSTOMER}
           ORDER BY inserted_at, id`,
          [tenantId, customerId],
        ),
      // Attempts are deleted with their delivery: a response body may repeat the payload. Pending ones are not sent.
      erase: async (tx, tenantId, customerId) => {
        // Events come first: their deliveries may be made while this waits for them.
        const events = await tx.query(
          `DELETE FROM webhook_events WHERE id IN (
             SELECT id FROM webhook_events WHERE ${OF_CUSTOMER} ORDER BY id FOR UPDATE)
           RETURNING id`,
          [tenantId, customerId],
        );
        const erased = await tx.query(
          // Locked in the order of their times, as a replay does.
          `DELETE FROM webhook_deliveries WHERE id IN (
             SELECT id FROM webhook_deliveries WHERE ${OF_CUSTOMER} ORDER BY inserted_at, id FOR UPDATE)
           RETURNING id`,
          [tenantId, customerId],
        );
        return events.length + erased.length;
      },
    });
  }

  @InTransaction(CustomersMerged)
  async onMerged({ tenant_id, subject_id, duplicate_ids }: CustomersMerged, tx: Transaction): Promise<void> {
    tx.send({
      text: `UPDATE webhook_events SET customer_id = $2 WHERE tenant_id = $1 AND customer_id = ANY ($3)`,
      values: [tenant_id, subject_id, duplicate_ids],
    });
    await tx.query(
      `WITH moving AS (
         SELECT id FROM webhook_deliveries WHERE tenant_id = $1 AND customer_id = ANY ($3)
         ORDER BY inserted_at, id FOR NO KEY UPDATE)
       UPDATE webhook_deliveries d SET customer_id = $2 FROM moving WHERE d.id = moving.id`,
      [tenant_id, subject_id, duplicate_ids],
    );
  }
}
