import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CustomerDeleted, CustomersMerged } from '../customers/customer.events';
import { PersonalDataRegistry } from '../customers/personal-data-registry';
import { Clock } from '../platform/clock/clock';
import { omitColumns, selectList } from '../platform/database/columns';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { InTransaction } from '../platform/events/listeners';
import { unprocessable } from '../platform/http/errors/api-error';
import type { Call } from './call.entity';
import { type CallChanges, CallWriter } from './machine/call-writer';
import { CallUpdated } from './call.events';
import { CallbackPersonalData } from './callbacks/callback-personal-data';
import { CALL_COLUMNS } from './call.columns';

/** Replaces an erased name: the column is never null. */
const ERASED_NAME = '-';

/** Columns that identify the customer or contain what was said. Times and the rating stay for the reports. */
const ERASED_COLUMNS = [
  'customer_email',
  'customer_phone',
  'reason',
  'rating_comment',
  'notes',
  'manager_notes',
  'device_report',
  'client_address',
] as const;

/** All columns but these; recordings are exported with their own URLs. */
const EXPORTED_COLUMNS = selectList(
  omitColumns(CALL_COLUMNS, [
    'version',
    'reserved_user_id',
    'customer_id',
    'identity_confirmed',
    'recording_url',
    'absent_since',
    'estimated_wait_low',
    'estimated_wait_high',
    'callback_status',
    'callback_invited_until',
  ]),
);

const OF_CUSTOMER = 'tenant_id = $1 AND customer_id = $2';

interface OpenCall {
  id: string;
  /** Whether it brought the customer. */
  is_first: boolean;
  /** Whether more than a typed e-mail or phone connects it with the customer. */
  is_theirs: boolean;
}

/** Keeps calls consistent when customers are merged, deleted, exported or erased. */
@Injectable()
export class CallPersonalData implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalDataRegistry,
    private readonly callbacks: CallbackPersonalData,
    private readonly writer: CallWriter,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.personalData.register({
      name: 'calls',
      export: (tx, tenantId, customerId) =>
        tx.query(
          `SELECT ${EXPORTED_COLUMNS}, c.client_address FROM calls c WHERE c.tenant_id = $1 AND c.customer_id = $2
           ORDER BY c.inserted_at, c.id`,
          [tenantId, customerId],
        ),
      erase: (tx, tenantId, customerId) => this.erase(tx, tenantId, customerId),
    });
  }

  @InTransaction(CustomersMerged)
  async onMerged({ tenant_id, subject_id, duplicate_ids }: CustomersMerged, tx: Transaction): Promise<void> {
    await tx.query(
      // The person of an open call that brought a new customer only says to be the one with whom it is merged, on both sides.
      `WITH moving AS (
         SELECT id FROM calls WHERE tenant_id = $1 AND (customer_id = ANY ($3)
           OR customer_id = $2 AND ended_at IS NULL AND identity_confirmed IS NULL)
         ORDER BY id FOR NO KEY UPDATE)
       UPDATE calls c SET customer_id = $2,
         identity_confirmed = CASE WHEN c.ended_at IS NULL THEN c.identity_confirmed IS TRUE ELSE c.identity_confirmed END
       FROM moving WHERE c.id = moving.id`,
      [tenant_id, subject_id, duplicate_ids],
    );
  }

  /**
   * Locks the customer's calls in the order of their ids, as every transaction that locks several calls does. Open calls that
   * only a typed e-mail or phone connects with the customer go on without them: anybody could have typed it.
   * @throws 422 while another call has not ended: through a personal link, or of somebody who typed no contact
   */
  @InTransaction(CustomerDeleted)
  async onDeleted({ tenant_id, subject_id, erased }: CustomerDeleted, tx: Transaction): Promise<void> {
    const open = await tx.query<OpenCall>(
      `WITH locked AS (
         SELECT id, identity_confirmed, customer_email, customer_phone, ended_at FROM calls WHERE ${OF_CUSTOMER}
         ORDER BY id FOR NO KEY UPDATE)
       SELECT id, identity_confirmed IS NULL AS is_first,
         COALESCE(identity_confirmed, customer_email IS NULL AND customer_phone IS NULL) AS is_theirs
       FROM locked WHERE ended_at IS NULL`,
      [tenant_id, subject_id],
    );
    if (open.some(({ is_theirs }) => is_theirs)) {
      throw unprocessable('customer_in_use', 'The customer has a call that has not ended.');
    }
    // An erasure also takes what connected them: no later one would find it.
    const contact = erased ? { customer_email: null, customer_phone: null } : {};
    const name = erased ? { customer_name: ERASED_NAME } : {};
    const [first, others] = [
      open.filter(({ is_first }) => is_first),
      open.filter(({ is_first }) => !is_first),
    ];
    const detached = [
      // The name of the customer is that of the call which brought them.
      ...(await this.detach(tx, tenant_id, first, { ...contact, ...name })),
      ...(await this.detach(tx, tenant_id, others, contact)),
    ];
    if (erased) await this.callbacks.eraseDetached(tx, detached);
  }

  private async detach(
    tx: Transaction,
    tenantId: string,
    calls: OpenCall[],
    erased: CallChanges,
  ): Promise<Call[]> {
    const now = this.clock.now();
    const changes = { customer_id: null, identity_confirmed: null, ...erased };
    const ids = calls.map(({ id }) => id);
    const detached = await this.writer.saveAllVisible(tx, tenantId, ids, changes, now);
    for (const call of detached) {
      await this.events.record(tx, new CallUpdated(call, now, ['customer_id', ...Object.keys(erased)]));
    }
    return detached;
  }

  private async erase(tx: Transaction, tenantId: string, customerId: string): Promise<number> {
    const now = this.clock.now();
    const ids = await tx.query<{ id: string }>(`SELECT id FROM calls WHERE ${OF_CUSTOMER}`, [
      tenantId,
      customerId,
    ]);
    const calls = await this.writer.saveAllVisible(
      tx,
      tenantId,
      ids.map(({ id }) => id),
      { customer_name: ERASED_NAME, ...erasedColumns(), erased_at: now },
      now,
    );
    // A key is chosen by the client and stored with a hash of what the customer typed.
    await tx.query('DELETE FROM idempotency_keys WHERE call_id = ANY ($1)', [calls.map(({ id }) => id)]);
    for (const call of calls) {
      await this.events.record(tx, new CallUpdated(call, now, ['customer_name', ...ERASED_COLUMNS]));
    }
    return calls.length;
  }
}

const erasedColumns = (): CallChanges => Object.fromEntries(ERASED_COLUMNS.map((column) => [column, null]));
