import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CustomerDeleted, CustomersMerged } from '../customers/customer.events';
import { PersonalDataRegistry } from '../customers/personal-data-registry';
import { pickColumns, selectList } from '../platform/database/columns';
import type { Transaction } from '../platform/database/transaction';
import { InTransaction } from '../platform/events/listeners';
import { APPOINTMENT_COLUMNS } from './appointment.columns';

const EXPORTED_COLUMNS = pickColumns(APPOINTMENT_COLUMNS, [
  'id',
  'title',
  'notes',
  'starts_at',
  'ends_at',
  'status',
  'inserted_at',
]);

/** Exports, erases or moves a customer's appointments. Deleting the customer clears customer_id through the foreign key. */
@Injectable()
export class AppointmentPersonalData implements OnModuleInit {
  constructor(private readonly personalData: PersonalDataRegistry) {}

  onModuleInit(): void {
    this.personalData.register({
      name: 'appointments',
      export: (tx, tenantId, customerId) =>
        tx.query(
          `SELECT ${selectList(EXPORTED_COLUMNS)} FROM appointments a
           WHERE a.tenant_id = $1 AND a.customer_id = $2 ORDER BY a.starts_at, a.id`,
          [tenantId, customerId],
        ),
      erase: async (tx, tenantId, customerId) => {
        const erased = await tx.query(
          `UPDATE appointments SET title = NULL, notes = NULL WHERE tenant_id = $1 AND customer_id = $2
           RETURNING id`,
          [tenantId, customerId],
        );
        return erased.length;
      },
    });
  }

  /** Forgets the invited address, and locks the rows in that order before the foreign key clears customer_id. */
  @InTransaction(CustomerDeleted)
  async onDeleted({ tenant_id, subject_id }: CustomerDeleted, tx: Transaction): Promise<void> {
    await tx.query(
      `WITH leaving AS (
         SELECT id FROM appointments WHERE tenant_id = $1 AND customer_id = $2 ORDER BY id FOR NO KEY UPDATE)
       UPDATE appointments a SET sealed_recipient = NULL FROM leaving WHERE a.id = leaving.id`,
      [tenant_id, subject_id],
    );
  }

  @InTransaction(CustomersMerged)
  async onMerged({ tenant_id, subject_id, duplicate_ids }: CustomersMerged, tx: Transaction): Promise<void> {
    await tx.query(
      // Locked in the order of their ids, as every transaction that locks several appointments does.
      `WITH moving AS (
         SELECT id FROM appointments WHERE tenant_id = $1 AND customer_id = ANY ($3) ORDER BY id FOR NO KEY UPDATE)
       UPDATE appointments a SET customer_id = $2 FROM moving WHERE a.id = moving.id`,
      [tenant_id, subject_id, duplicate_ids],
    );
  }
}
