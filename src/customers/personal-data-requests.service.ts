import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { EventBus } from '../platform/events/event-bus';
import type { Principal } from '../platform/access/principal';
import { ReceiptKeys } from './erasures/receipt-keys';
import type { CustomerExportDto, ErasureReceiptDto } from './personal-data-request.dto';
import { PersonalDataExported } from './customer.events';
import { CustomerList } from './customer-list';
import { CustomerErasure } from './erasures/customer-erasure';
import { ErasureRecords } from './erasures/erasure-records';
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
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly keys: ReceiptKeys,
  ) {}

  /**
   * @param isHandedOut whether the data are sent, which the audit log records; not for HEAD
   * @throws 404
   */
  async export(
    { tenant_id, user_id }: Principal,
    id: string,
    isHandedOut: boolean,
  ): Promise<CustomerExportDto> {
    const signer = await this.keys.signer();
    return this.database.tenant(tenant_id, async (tx) => {
      const customer = await this.list.getIn(tx, tenant_id, id);
      const exported_at = this.clock.now().toISOString();
      const records = await this.registry.export(tx, tenant_id, id);
      if (isHandedOut) await this.events.record(tx, new PersonalDataExported(tenant_id, id, exported_at));
      const receipt = signer.sign({
        receipt_id: randomUUID(),
        kind: 'customer_export',
        tenant_id,
        subject_ids: [id],
        requested_by: user_id,
        requested_at: exported_at,
        tables: { customers: 1, ...countRecords(records) },
      });
      return { exported_at, customer, ...(records as ExportedRecords), receipt };
    });
  }

  /**
   * Erases the customer and all personal data in one transaction. Calls keep their statistics.
   * @throws 404, or 422 while the customer has a call that has not ended
   */
  async erase({ tenant_id, user_id }: Principal, id: string): Promise<ErasureReceiptDto> {
    const signer = await this.keys.signer();
    return this.database.tenant(tenant_id, async (tx) => {
      const request = { kind: 'customer' as const, tenant_id, requested_by: user_id };
      const { result, erased_at, ...state } = await this.records.record(tx, signer, request, () =>
        this.erasure.erase(tx, tenant_id, id),
      );
      return {
        customer_id: id,
        erased_at: erased_at.toISOString(),
        erased_by: user_id,
        erased: result.erased,
        ...state,
      };
    });
  }
}

type ExportedRecords = Omit<CustomerExportDto, 'exported_at' | 'customer' | 'receipt'>;

const countRecords = (records: Record<string, object[]>): Record<string, number> =>
  Object.fromEntries(Object.entries(records).map(([name, rows]) => [name, rows.length]));
