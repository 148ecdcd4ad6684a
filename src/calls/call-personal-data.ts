import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CustomerDeleted, CustomersMerged } from '../customers/customer.events';
import { PersonalDataRegistry } from '../customers/personal-data-registry';
import { Clock } from '../platform/clock/clock';
import { omitColumns, selectList } from '../platform/database/columns';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { InTransaction } from '../platform/events/listeners';
import { unprocessable } from '../platform/http/errors/api-error';
import { CALL_COLUMNS } from './call.columns';
import type { Call } from './call.entity';
import { CallUpdated } from './call.events';

/** What stands in place of a name that was erased. */
const NOBODY = '-';

/** Who it was, what about and what was said. When, how long and how well stays. */
const ERASED = ['customer_email', 'customer_phone', 'reason', 'rating_comment', 'notes', 'manager_notes'];

/** Columns are exported unless they are listed here: recordings are exported with their own addresses. */
const EXPORTED_COLUMNS = selectList(
  omitColumns(CALL_COLUMNS, ['version', 'reserved_user_id', 'customer_id', 'recording_url']),
);

const OF_CUSTOMER = 'tenant_id = $1 AND customer_id = $2';

/** What becomes of calls when something happens to their customer. */
@Injectable()
export class CallPersonalData implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalDataRegistry,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.personalData.register({
      name: 'calls',
      export: (tx, tenantId, customerId) =>
        tx.query(
          `SELECT ${EXPORTED_COLUMNS} FROM calls c WHERE c.tenant_id = $1 AND c.customer_id = $2
           ORDER BY c.inserted_at, c.id`,
          [tenantId, customerId],
        ),
      erase: (tx, tenantId, customerId) => this.erase(tx, tenantId, customerId),
    });
  }

  @InTransaction(CustomersMerged)
  async onMerged({ tenant_id, subject_id, duplicate_ids }: CustomersMerged, tx: Transaction): Promise<void> {
    await tx.query(
      `WITH moving AS (
         SELECT id FROM calls WHERE tenant_id = $1 AND customer_id = ANY ($3) ORDER BY id FOR NO KEY UPDATE)
       UPDATE calls c SET customer_id = $2 FROM moving WHERE c.id = moving.id`,
      [tenant_id, subject_id, duplicate_ids],
    );
    // Counted as they come in; here all of them at once.
    await tx.query(
      `UPDATE customers SET (call_count, last_call_at) =
         (SELECT count(*), max(inserted_at) FROM calls WHERE ${OF_CUSTOMER})
       WHERE tenant_id = $1 AND id = $2`,
      [tenant_id, subject_id],
    );
  }

  /**
   * One who waits or talks cannot be deleted. All others of their calls are locked until they have lost the customer,
   * for which everybody who locks several takes them in this order.
   */
  @InTransaction(CustomerDeleted)
  async onDeleted({ tenant_id, subject_id }: CustomerDeleted, tx: Transaction): Promise<void> {
    const open = await tx.query(`SELECT FROM calls WHERE ${OF_CUSTOMER} AND ended_at IS NULL LIMIT 1`, [
      tenant_id,
      subject_id,
    ]);
    if (open.length > 0) {
      throw unprocessable('customer_in_use', 'The customer has a call that has not ended.');
    }
    await tx.query(`SELECT FROM calls WHERE ${OF_CUSTOMER} ORDER BY id FOR NO KEY UPDATE`, [
      tenant_id,
      subject_id,
    ]);
  }

  private async erase(tx: Transaction, tenantId: string, customerId: string): Promise<number> {
    const now = this.clock.now();
    const calls = await tx.query<Call>(
      `UPDATE calls SET customer_name = $3, ${ERASED.map((column) => `${column} = NULL`).join(', ')},
         erased_at = $4, updated_at = $4, version = version + 1
       WHERE ${OF_CUSTOMER} RETURNING *`,
      [tenantId, customerId, NOBODY, now],
    );
    // Keys are of the client's own making, and have a digest of what the person typed.
    await tx.query('DELETE FROM idempotency_keys WHERE call_id = ANY ($1)', [calls.map(({ id }) => id)]);
    for (const call of calls) {
      await this.events.record(tx, new CallUpdated(call, now, ['customer_name', ...ERASED]));
    }
    return calls.length;
  }
}
