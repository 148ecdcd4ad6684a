import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Principal } from '../platform/access/principal';
import type { CustomerExportDto, ErasureReceiptDto } from './personal-data-request.dto';
import { CustomerList } from './customer-list';
import { CustomerErasure } from './customer-erasure';
import { ErasureRecords } from './erasure-records';
import { PersonalDataRegistry } from './personal-data-registry';

/** Exports or erases everything that is stored about a customer. */
@Injectable()
export class PersonalDataRequestsService {
  constructor(
    private readonly database: Database,
    private readonly list: CustomerList,
    private readonly registry: PersonalDataRegistry,
    private readonly erasure: CustomerErasure,
    private readonly records: ErasureRecords,
    private readonly clock: Clock,
  ) {}

  /** @throws 404 */
  export(tenantId: string, id: string): Promise<CustomerExportDto> {
    return this.database.tenant(tenantId, async (tx) => {
      const customer = await this.list.getIn(tx, tenantId, id);
      const exported_at = this.clock.now().toISOString();
      const records = await this.registry.export(tx, tenantId, id);
      return { exported_at, customer, ...(records as Omit<CustomerExportDto, 'exported_at' | 'customer'>) };
    });
  }

  /**
   * Erases the customer and all personal data in one transaction. Calls keep their statistics.
   * @throws 404, or 422 while the customer has a call that has not ended
   */
  erase({ tenant_id, user_id }: Principal, id: string): Promise<ErasureReceiptDto> {
    return this.database.tenant(tenant_id, async (tx) => {
      const { subject_ids, erased } = await this.erasure.erase(tx, tenant_id, id);
      await this.records.record(tx, { kind: 'customer', tenant_id, subject_ids });
      return { customer_id: id, erased_at: this.clock.now().toISOString(), erased_by: user_id, erased };
    });
  }
}
