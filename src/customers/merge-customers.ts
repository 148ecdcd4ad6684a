import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { invalidField } from '../platform/http/errors/api-error';
import type { CustomerDto, MergeCustomersDto } from './customer.dto';
import { Customer } from './customer.entity';
import { CustomersMerged } from './customer.events';
import { addDuplicateCallCounts } from './customer-call-counts';
import { CustomerList } from './customer-list';
import { mergeDetails } from './merge.rules';
import { PhoneNumbers } from './phone-numbers';

/** Merges customers that are the same person. */
@Injectable()
export class MergeCustomers {
  constructor(
    private readonly database: Database,
    private readonly list: CustomerList,
    private readonly phones: PhoneNumbers,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Moves the duplicates' records to the primary, fills its empty fields from them, oldest first, and deletes them, in
   * one transaction. Overlapping merges run one after the other; the later one fails if its customers are deleted.
   * @throws 422 for a customer that does not exist, or that would be merged with itself
   */
  merge(tenantId: string, input: MergeCustomersDto): Promise<CustomerDto> {
    const primaryId = input.primary_id;
    const ids = [...new Set(input.duplicate_ids)];
    if (ids.length === 0) throw invalidField('duplicate_ids', 'must name at least one customer');
    if (ids.includes(primaryId)) throw invalidField('duplicate_ids', 'must not contain primary_id');
    return this.database.tenant(tenantId, async (tx) => {
      const [primary, duplicates] = await this.lock(tx, tenantId, primaryId, ids);
      const now = this.clock.now();
      await this.events.record(tx, new CustomersMerged(tenantId, primaryId, now.toISOString(), ids));
      await addDuplicateCallCounts(tx, tenantId, primaryId, ids);
      await recordMerges(tx, tenantId, primaryId, ids);
      const customers = tx.repository(Customer);
      await customers.delete(ids);
      await customers.update(
        { id: primaryId, tenant_id: tenantId },
        { ...mergeDetails(primary, duplicates), updated_at: now },
      );
      await this.phones.normalize(tx, tenantId, primaryId);
      return this.list.getIn(tx, tenantId, primaryId);
    });
  }

  /** Prevents new calls, links and appointments of these customers until the transaction ends. @throws 422 */
  private async lock(
    tx: Transaction,
    tenantId: string,
    primaryId: string,
    ids: string[],
  ): Promise<[primary: Customer, duplicates: Customer[]]> {
    // Always in order of id, so that two merges cannot deadlock.
    await tx.query('SELECT FROM customers WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE', [
      tenantId,
      [primaryId, ...ids],
    ]);
    const all = await tx.repository(Customer).find({
      where: { tenant_id: tenantId, id: In([primaryId, ...ids]) },
      order: { inserted_at: 'ASC', id: 'ASC' },
    });
    const primary = all.find(({ id }) => id === primaryId);
    if (!primary) throw invalidField('primary_id', 'names a customer that does not exist');
    if (all.length <= ids.length) throw invalidField('duplicate_ids', 'names a customer that does not exist');
    return [primary, all.filter((customer) => customer !== primary)];
  }
}

/** An erasure of the primary must also erase the duplicates where a restored database has them again. */
async function recordMerges(
  tx: Transaction,
  tenantId: string,
  primaryId: string,
  ids: string[],
): Promise<void> {
  const values = [tenantId, primaryId, ids];
  // Those that were merged into the duplicates before.
  await tx.query(
    'UPDATE customer_merges SET customer_id = $2 WHERE tenant_id = $1 AND customer_id = ANY ($3)',
    values,
  );
  await tx.query(
    `INSERT INTO customer_merges (tenant_id, customer_id, merged_id) SELECT $1, $2, unnest($3::uuid[])`,
    values,
  );
}
