import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CustomerDeleted, CustomersMerged } from '../customers/customer.events';
import { PersonalDataRegistry } from '../customers/personal-data-registry';
import type { Transaction } from '../platform/database/transaction';
import { InTransaction } from '../platform/events/listeners';
import { CancelAccessLinks } from './cancel-access-links';

/** Exports, erases, moves or cancels a customer's own links when the customer is exported, erased, merged or deleted. */
@Injectable()
export class AccessLinkPersonalData implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalDataRegistry,
    private readonly cancellation: CancelAccessLinks,
  ) {}

  onModuleInit(): void {
    this.personalData.register({
      name: 'access_links',
      export: (tx, tenantId, customerId) =>
        tx.query(
          `SELECT id, label, use_count, expires_at, cancelled_at, inserted_at FROM access_links
           WHERE tenant_id = $1 AND customer_id = $2 ORDER BY inserted_at, id`,
          [tenantId, customerId],
        ),
      erase: async (tx, tenantId, customerId) => {
        const erased = await tx.query(
          `UPDATE access_links SET label = NULL WHERE tenant_id = $1 AND customer_id = $2 RETURNING id`,
          [tenantId, customerId],
        );
        return erased.length;
      },
    });
  }

  @InTransaction(CustomersMerged)
  async onMerged({ tenant_id, subject_id, duplicate_ids }: CustomersMerged, tx: Transaction): Promise<void> {
    await tx.query(
      // Locked in the order of their ids, as every transaction that locks several links does.
      `WITH moving AS (
         SELECT id FROM access_links WHERE tenant_id = $1 AND customer_id = ANY ($3) ORDER BY id FOR NO KEY UPDATE)
       UPDATE access_links l SET customer_id = $2 FROM moving WHERE l.id = moving.id`,
      [tenant_id, subject_id, duplicate_ids],
    );
  }

  /** A link made for one person must not admit others. */
  @InTransaction(CustomerDeleted)
  async onDeleted({ tenant_id, subject_id }: CustomerDeleted, tx: Transaction): Promise<void> {
    await this.cancellation.cancelWhere(tx, tenant_id, 'customer_id', subject_id);
  }
}
