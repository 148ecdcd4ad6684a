import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonalDataRegistry } from '../customers/personal-data-registry';
import { UPLOADED_FILE_COLUMNS } from './call-file-list';

const OF_CUSTOMER = `f.tenant_id = $1 AND f.call_id IN (SELECT id FROM calls WHERE tenant_id = $1 AND customer_id = $2)`;

/** Exports and erases the files of a customer's calls. */
@Injectable()
export class FilePersonalData implements OnModuleInit {
  constructor(private readonly personalData: PersonalDataRegistry) {}

  onModuleInit(): void {
    this.personalData.register({
      name: 'call_files',
      export: (tx, tenantId, customerId) =>
        tx.query(
          `SELECT ${UPLOADED_FILE_COLUMNS}, f.call_id, f.sha256, f.inserted_at FROM call_files f WHERE ${OF_CUSTOMER}
           ORDER BY f.inserted_at, f.id`,
          [tenantId, customerId],
        ),
      // The next sweep of the storage deletes their contents.
      erase: async (tx, tenantId, customerId) => {
        const deleted = await tx.query(`DELETE FROM call_files f WHERE ${OF_CUSTOMER} RETURNING f.id`, [
          tenantId,
          customerId,
        ]);
        return deleted.length;
      },
    });
  }
}
