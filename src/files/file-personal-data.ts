import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonalDataRegistry } from '../customers/personal-data-registry';
import type { Transaction } from '../platform/database/transaction';
import { StorageUsage } from '../plans/storage-usage';
import { UPLOADED_FILE_COLUMNS } from './call-file-list';

const OF_CUSTOMER = `f.tenant_id = $1 AND f.call_id IN (SELECT id FROM calls WHERE tenant_id = $1 AND customer_id = $2)`;

/** Exports and erases the files of a customer's calls. */
@Injectable()
export class FilePersonalData implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalDataRegistry,
    private readonly usage: StorageUsage,
  ) {}

  onModuleInit(): void {
    this.personalData.register({
      name: 'call_files',
      export: (tx, tenantId, customerId) =>
        tx.query(
          `SELECT ${UPLOADED_FILE_COLUMNS}, f.call_id, f.sha256, f.inserted_at FROM call_files f WHERE ${OF_CUSTOMER}
           ORDER BY f.inserted_at, f.id`,
          [tenantId, customerId],
        ),
      erase: (tx, tenantId, customerId) => this.erase(tx, tenantId, customerId),
    });
  }

  /** The next sweep of the storage deletes the contents. */
  private async erase(tx: Transaction, tenantId: string, customerId: string): Promise<number> {
    const deleted = await tx.query<{ size: number }>(
      `DELETE FROM call_files f WHERE ${OF_CUSTOMER} RETURNING f.size::float8 AS size`,
      [tenantId, customerId],
    );
    const bytes = deleted.reduce((sum, { size }) => sum + size, 0);
    if (bytes > 0) await this.usage.add(tx, tenantId, -bytes, 'file_bytes');
    return deleted.length;
  }
}
