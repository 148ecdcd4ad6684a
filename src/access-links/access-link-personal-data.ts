import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CustomerDeleted, CustomersMerged } from '../customers/customer.events';
import { PersonalDataRegistry } from '../customers/personal-data-registry';
import { pickColumns, plainColumns, selectList } from '../platform/database/columns';
import type { Transaction } from '../platform/database/transaction';
import { InTransaction } from '../platform/events/listeners';
import { ACCESS_LINK_COLUMNS } from './access-link.columns';
import { CancelAccessLinks } from './cancel-access-links';

const EXPORTED_COLUMNS = {
  ...pickColumns(ACCESS_LINK_COLUMNS, ['id', 'label', 'use_count', 'expires_at']),
  ...plainColumns('l', ['cancelled_at']),
  ...pickColumns(ACCESS_LINK_COLUMNS, ['inserted_at']),
};

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
          `SELECT ${selectList(EXPORTED_COLUMNS)} FROM access_links l
           WHERE l.tenant_id = $1 AND l.customer_id = $2 ORDER BY l.inserted_at, l.id`,
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
